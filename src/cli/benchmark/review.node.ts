import { additionSchema, BadRecordsError, checkRecords, reviewNuggets } from '../../lab/index.ts';
import { parseFlags, UsageError } from '../command.node.ts';
import { readTextFiles } from '../read-files.node.ts';
import type { BenchmarkCommand } from './command.node.ts';
import { readDecisions } from './label-files.node.ts';
import { readSet, writeJson } from './set-file.node.ts';

/** Raise it if the rules of this step change. */
const VERSION = 2;

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
    const additions =
      values.add === undefined
        ? { placed: [], problems: [] }
        : checkRecords(readTextFiles([values.add]), additionSchema);
    const { set: reviewed, counts, ...review } = reviewNuggets(set, additions.placed, decisions);
    const problems = [...additions.problems, ...review.problems];
    if (problems.length > 0) throw new BadRecordsError(problems, 'reviewed');
    if (paths.length > 0 && counts.reviewed === 0) throw new UsageError('No label is of a nugget of this set.');
    const { addedDocuments, addedAnswers, addedNuggets, addedAbsences } = counts;
    stderr.write(
      `Nuggets with labels: ${counts.reviewed}; dropped: ${counts.dropped}; with another importance: ${counts.regraded}; documents taken off answers: ${counts.unbound}.\n`,
    );
    if (values.add !== undefined) {
      stderr.write(
        `Added: nuggets with answers: ${addedNuggets}; nuggets without (absences): ${addedAbsences}; answers: ${addedAnswers}; documents to answers: ${addedDocuments}.\n`,
      );
    }
    const making = {
      ...{ step: 'review', version: VERSION, seed: 0, model: null, prompts: {}, counts },
      options: { annotators: new Set(decisions.map(({ annotator }) => annotator)).size },
    };
    writeJson(values.out, { ...reviewed, made: [...set.made, making] }, stdout);
    return 0;
  },
};
