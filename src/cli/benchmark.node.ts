import { ablationCommand } from './benchmark/ablation.node.ts';
import { agreementCommand } from './benchmark/agreement.node.ts';
import { annotateCommand } from './benchmark/annotate.node.ts';
import type { BenchmarkCommand } from './benchmark/command.node.ts';
import { loadCommand } from './benchmark/load.node.ts';
import { MAKERS } from './benchmark/makers.node.ts';
import { panelCommand } from './benchmark/panel.node.ts';
import { reviewCommand } from './benchmark/review.node.ts';
import { runCommand } from './benchmark/run.node.ts';
import type { Command, Commands } from './command.node.ts';
import { overService } from './over-service.node.ts';

/** In the order in which a set is made, reviewed and run. */
export const BENCHMARKS: Commands = {
  'benchmark load': asCommand(loadCommand),
  'benchmark haystack': asCommand(MAKERS.haystack),
  'benchmark questions': asCommand(MAKERS.questions),
  'benchmark intents': asCommand(MAKERS.intents),
  'benchmark key-points': asCommand(MAKERS['key-points']),
  'benchmark nuggets': asCommand(MAKERS.nuggets),
  'benchmark annotate': asCommand(annotateCommand),
  'benchmark agreement': asCommand(agreementCommand),
  'benchmark review': asCommand(reviewCommand),
  'benchmark run': asCommand(runCommand),
  'benchmark ablation': asCommand(ablationCommand),
  'benchmark panel': asCommand(panelCommand),
};

function asCommand(benchmark: BenchmarkCommand): Command {
  return overService({ notes: 'docs/benchmarks.md says what each option does.', ...benchmark });
}
