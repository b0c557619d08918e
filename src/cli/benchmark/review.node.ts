import { reviewSet } from '../../lab/index.ts';
import { UsageError } from '../command.node.ts';
import { benchmarkCommand } from './command.node.ts';
import { readDecisions } from './label-files.node.ts';
import { printCounts } from './make-with-model.node.ts';
import { PROTOCOL_FLAGS } from './protocol-flags.node.ts';
import { readSet, writeJson } from './set-file.node.ts';

/** Raise it if the rules of this step change. */
const VERSION = 5;

export const reviewCommand = benchmarkCommand({
  summary: 'Apply people’s labels to the key points and nuggets of a set.',
  usage: 'SET LABELS.jsonl…',
  flags: { out: PROTOCOL_FLAGS.out },
  examples: ['tessera benchmark review nuggets.json labels.jsonl --out reviewed.json'],
  takes: { min: 2, max: Number.POSITIVE_INFINITY, otherwise: 'Name a set, and a file of labels behind it.' },
  async run(values, [path, ...paths], _service, { stdout, stderr }) {
    const set = readSet(path);
    const decisions = readDecisions(paths, 'reviewed', stderr);
    const { set: reviewed, counts } = reviewSet(set, decisions);
    if (counts.reviewed === undefined && counts.reviewedPoints === undefined) {
      throw new UsageError('No label is of a key point or a nugget of this set.');
    }
    stderr.write(`${printCounts(counts)}\n`);
    const making = {
      ...{ step: 'review', version: VERSION, seed: 0, model: null, prompts: {}, counts },
      options: { annotators: new Set(decisions.map(({ annotator }) => annotator)).size },
    };
    writeJson(values.out, { ...reviewed, made: [...set.made, making] }, stdout);
    return 0;
  },
});
