import { additionSchema, BadRecordsError, checkRecords, reviewNuggets } from '../../lab/index.ts';
import { parseFlags, UsageError } from '../command.node.ts';
import { readTextFiles } from '../read-files.node.ts';
import type { BenchmarkCommand } from './command.node.ts';
import { readDecisions } from './label-files.node.ts';
import { printCounts } from './make-with-model.node.ts';
import { readSet, writeJson } from './set-file.node.ts';

/** Raise it if the rules of this step change. */
const VERSION = 3;

export const reviewCommand: BenchmarkCommand = {
  summary: 'Apply people’s labels and additions to the nuggets of a set.',
  usage: 'SET [LABELS.jsonl…] [--add ADDITIONS.jsonl] [--out FILE]',
  examples: ['tessera benchmark review nuggets.json labels.jsonl --add additions.jsonl --out reviewed.json'],
  async run(args, _service, { stdout, stderr }) {
    const { values, positionals } = parseFlags(args, { add: { type: 'string' }, out: { type: 'string' } });
    const [path, ...paths] = positionals;
    if (path === undefined || (paths.length === 0 && values.add === undefined)) {
      throw new UsageError('Name a set, and a file of labels behind it or one of additions (--add).');
    }
    const set = readSet(path);
    const decisions = readDecisions(paths, 'reviewed', stderr);
    const additions = checkRecords(values.add === undefined ? [] : readTextFiles([values.add]), additionSchema);
    const { set: reviewed, counts, ...review } = reviewNuggets(set, additions.placed, decisions);
    const problems = [...additions.problems, ...review.problems];
    if (problems.length > 0) throw new BadRecordsError(problems, 'reviewed');
    if (paths.length > 0 && counts.reviewed === 0) throw new UsageError('No label is of a nugget of this set.');
    stderr.write(`${printCounts(counts)}\n`);
    const making = {
      ...{ step: 'review', version: VERSION, seed: 0, model: null, prompts: {}, counts },
      options: { annotators: new Set(decisions.map(({ annotator }) => annotator)).size },
    };
    writeJson(values.out, { ...reviewed, made: [...set.made, making] }, stdout);
    return 0;
  },
};
