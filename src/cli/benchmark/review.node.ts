import { reviewNuggets } from '../../lab/index.ts';
import { parseFlags, UsageError } from '../command.node.ts';
import type { BenchmarkCommand } from './command.node.ts';
import { readDecisions } from './label-files.node.ts';
import { printCounts } from './make-with-model.node.ts';
import { readSet, writeJson } from './set-file.node.ts';

/** Raise it if the rules of this step change. */
const VERSION = 4;

export const reviewCommand: BenchmarkCommand = {
  summary: 'Apply people’s labels to the nuggets of a set.',
  usage: 'SET LABELS.jsonl… [--out FILE]',
  examples: ['tessera benchmark review nuggets.json labels.jsonl --out reviewed.json'],
  async run(args, _service, { stdout, stderr }) {
    const { values, positionals } = parseFlags(args, { out: { type: 'string' } });
    const [path, ...paths] = positionals;
    if (path === undefined || paths.length === 0) throw new UsageError('Name a set, and a file of labels behind it.');
    const set = readSet(path);
    const decisions = readDecisions(paths, 'reviewed', stderr);
    const { set: reviewed, counts } = reviewNuggets(set, decisions);
    if (counts.reviewed === 0) throw new UsageError('No label is of a nugget of this set.');
    stderr.write(`${printCounts(counts)}\n`);
    const making = {
      ...{ step: 'review', version: VERSION, seed: 0, model: null, prompts: {}, counts },
      options: { annotators: new Set(decisions.map(({ annotator }) => annotator)).size },
    };
    writeJson(values.out, { ...reviewed, made: [...set.made, making] }, stdout);
    return 0;
  },
};
