import { type BenchmarkSet, questionsProtocol, takenIds, withQuestions } from '../../lab/index.ts';
import { onlyPositional, parseFlags } from '../parse-flags.node.ts';
import { UsageError } from '../usage-error.ts';
import type { BenchmarkCommand, CommandStreams } from './command.ts';
import { makeWithModel } from './make-with-model.node.ts';
import { PROTOCOL_FLAGS, PROTOCOL_USAGE, protocolOptions, wholeNumber } from './protocol-flags.node.ts';
import { readSet, writeJson } from './set-file.node.ts';

/** Padmakumar et al. 2025, section 4.1.2. */
const QUESTIONS = 10;

/** Makes questions for every document of a set. */
export const questionsCommand: BenchmarkCommand = {
  summary: 'Add questions that the documents of a set answer.',
  usage: `SET [--questions ${QUESTIONS}] [--limit DOCUMENTS] ${PROTOCOL_USAGE}`,
  examples: ['tessera benchmark questions set.json --out questions.json'],
  async run(args, service, streams, signal) {
    const flags = { ...PROTOCOL_FLAGS, questions: { type: 'string' }, limit: { type: 'string' } } as const;
    const { values, positionals } = parseFlags(args, flags);
    const path = onlyPositional(positionals, 'the file of a benchmark set');
    const options = protocolOptions(values);
    const questions = wholeNumber('--questions', values.questions, QUESTIONS);
    const limit = values.limit === undefined ? null : wholeNumber('--limit', values.limit, 1);
    const set = readSet(path);
    const taken = takenIds(set);
    if (taken.length > 0) {
      const names = taken.map((id) => `"${id}"`).join(', ');
      throw new UsageError(
        `${path}: ${names} is the id of a collection, and of a case with an intent or of another collection; it is needed for the case that asks what there is: give that case another id.`,
      );
    }
    const parts = await service();
    // Without a model it is refused before anything is read.
    const contextTokens = parts.models.model?.contextTokens ?? 0;
    const protocol = questionsProtocol(set, { questions, limit, contextTokens });
    const made = await makeWithModel(protocol, options, parts, streams, signal);
    if ('code' in made) return made.code;
    const whole = withQuestions(set, made.result);
    notify(
      made.making.counts,
      {
        stay: questionsIn(whole) - made.making.counts.questions,
        cases: whole.cases.filter(({ intent, questions: own }) => intent !== undefined && own).length,
      },
      streams,
    );
    if (made.making.counts.questions === 0) {
      streams.stderr.write('No question can be used, so nothing is written.\n');
      return 1;
    }
    writeJson(options.out, { ...whole, made: [...set.made, made.making] }, streams.stdout);
    return 0;
  },
};

function questionsIn({ collections }: BenchmarkSet): number {
  return collections.reduce((sum, { questions = [] }) => sum + questions.length, 0);
}

/** @param before questions of an earlier run that stay, and cases with an intent that have some of it */
function notify(
  counts: Readonly<Record<string, number>>,
  before: { readonly stay: number; readonly cases: number },
  { stderr }: CommandStreams,
): void {
  const { documents, questions, reasoning, empty, longQuestions, duplicates, ungrounded, shortDocuments, missing } =
    counts;
  const dropped = `${empty} incomplete, ${longQuestions} of more than 14 words, ${duplicates} repeated, ${ungrounded} with an answer in words that the document does not hold`;
  stderr.write(
    `Questions: ${questions} (documents: ${documents}; that need reasoning: ${reasoning}); dropped: ${dropped}.\n`,
  );
  if (missing > 0)
    stderr.write(`Documents with fewer questions than wanted: ${shortDocuments}; missing in all: ${missing}.\n`);
  if (before.stay > 0)
    stderr.write(`Earlier questions that stay, of documents not read now or that gave none: ${before.stay}.\n`);
  if (before.cases > 0)
    stderr.write(
      `Cases with an intent, which keep the questions that they had until benchmark intents is run anew: ${before.cases}.\n`,
    );
}
