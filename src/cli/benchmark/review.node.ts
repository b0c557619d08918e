import {
  type Addition,
  additionSchema,
  addNuggets,
  BadRecordsError,
  checkRecords,
  decisionsOf,
  type Placed,
  reviewNuggets,
} from '../../lab/index.ts';
import { parseFlags } from '../parse-flags.node.ts';
import { readTextFiles } from '../read-files.node.ts';
import { UsageError } from '../usage-error.ts';
import { readLabels } from './annotation/label-file.node.ts';
import type { BenchmarkCommand } from './command.ts';
import { readSet, writeJson } from './set-file.node.ts';

/** Of the rules of this step. */
const VERSION = 2;

/** Applies what people decided of the nuggets of a set, and what they added. */
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
    const files = paths.map(readLabels);
    const problems = files.flatMap((file) => file.problems);
    if (problems.length > 0) throw new BadRecordsError(problems, 'reviewed');
    for (const where of files.flatMap(({ torn }) => torn)) {
      stderr.write(`${where} was cut short when it was written, and is left out.\n`);
    }
    const decisions = decisionsOf(files.flatMap(({ labels }) => labels));
    const grown = addNuggets(set, values.add === undefined ? [] : additionsIn(values.add));
    if (grown.problems.length > 0) throw new BadRecordsError(grown.problems, 'reviewed');
    const { set: reviewed, counts } = reviewNuggets(grown.set, decisions);
    if (paths.length > 0 && counts.reviewed === 0) throw new UsageError('No label is of a nugget of this set.');
    const making = {
      ...{ step: 'review', version: VERSION, seed: 0, model: null, prompts: {} },
      options: { annotators: new Set(decisions.map(({ annotator }) => annotator)).size },
      counts: { ...counts, ...grown.counts },
    };
    const { addedDocuments, addedAnswers, addedNuggets, addedAbsences } = grown.counts;
    const notes = [
      `Nuggets with labels: ${counts.reviewed}; dropped: ${counts.dropped}; with another importance: ${counts.regraded}; documents taken off answers: ${counts.unbound}.`,
      ...(values.add === undefined
        ? []
        : [
            `Added: nuggets with answers: ${addedNuggets}; nuggets without (absences): ${addedAbsences}; answers: ${addedAnswers}; documents to answers: ${addedDocuments}.`,
          ]),
    ];
    stderr.write(notes.map((note) => `${note}\n`).join(''));
    writeJson(values.out, { ...reviewed, made: [...set.made, making] }, stdout);
    return 0;
  },
};

function additionsIn(path: string): readonly Placed<Addition>[] {
  const { placed, problems } = checkRecords(readTextFiles([path]), additionSchema);
  if (problems.length > 0) throw new BadRecordsError(problems, 'reviewed');
  return placed;
}
