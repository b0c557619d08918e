import { decisionsOf } from '../annotation/label.ts';
import { BadRecordsError } from '../cli/check-records.ts';
import { parseFlags } from '../cli/parse-flags.node.ts';
import { UsageError } from '../cli/usage-error.ts';
import { reviewNuggets } from '../nuggets/review-nuggets.ts';
import { readLabels } from './annotation/label-file.node.ts';
import type { BenchmarkCommand } from './command.ts';
import { readSet, writeJson } from './set-file.node.ts';

/** Applies what people decided of the nuggets of a set. */
export const reviewCommand: BenchmarkCommand = {
  summary: 'Apply people’s labels to the nuggets of a set.',
  usage: 'SET LABELS.jsonl… [--out FILE]',
  examples: ['tessera benchmark review nuggets.json labels.jsonl --out reviewed.json'],
  async run(args, _service, { stdout, stderr }) {
    const { values, positionals } = parseFlags(args, { out: { type: 'string' } });
    const [path, ...paths] = positionals;
    if (path === undefined || paths.length === 0) throw new UsageError('Name a set, and a file of labels behind it.');
    const set = readSet(path);
    const files = paths.map(readLabels);
    const problems = files.flatMap((file) => file.problems);
    if (problems.length > 0) throw new BadRecordsError(problems, 'reviewed');
    for (const where of files.flatMap(({ torn }) => torn)) {
      stderr.write(`${where} was cut short when it was written, and is left out.\n`);
    }
    const decisions = decisionsOf(files.flatMap(({ labels }) => labels));
    const { set: reviewed, counts } = reviewNuggets(set, decisions);
    if (counts.reviewed === 0) throw new UsageError('No label is of a nugget of this set.');
    const making = {
      ...{ step: 'review', version: 1, seed: 0, model: null, prompts: {} },
      options: { annotators: new Set(decisions.map(({ annotator }) => annotator)).size },
      counts,
    };
    stderr.write(
      `Nuggets with labels: ${counts.reviewed}; dropped: ${counts.dropped}; with another importance: ${counts.regraded}; documents taken off answers: ${counts.unbound}.\n`,
    );
    writeJson(values.out, { ...reviewed, made: [...set.made, making] }, stdout);
    return 0;
  },
};
