import type { DigestDeps } from '../../digest/index.ts';
import { isForeignTo } from '../../evaluation/index.ts';
import {
  type BenchmarkSet,
  foreignIds,
  intentsProtocol,
  isMeasured,
  keepIntents,
  type MadeIntent,
  relevantAbove,
  type ScoredIntent,
  type ShortIntent,
  scoredRelevance,
  withIntents,
} from '../../lab/index.ts';
import { isReranker, type RelevanceScorer, type WorkCache } from '../../models/index.ts';
import { onlyPositional, parseFlags } from '../parse-flags.node.ts';
import { stopped } from '../run-notes.node.ts';
import { UsageError } from '../usage-error.ts';
import type { BenchmarkCommand } from './command.ts';
import { makeWithModel } from './make-with-model.node.ts';
import { PROTOCOL_FLAGS, PROTOCOL_USAGE, protocolOptions, wholeNumber } from './protocol-flags.node.ts';
import { readSet, writeJson } from './set-file.node.ts';

/** What finds how relevant questions are: null for the language model. */
interface ChosenScorer {
  /** `llm`, or the id of the encoder or reranker. */
  readonly id: string;
  readonly scorer: RelevanceScorer | null;
}

/**
 * The encoder or reranker of this name, the language model for `llm`, the default encoder where none is named.
 *
 * @throws UsageError where this service has neither
 */
function relevanceScorer(name: string | undefined, { engine }: Pick<DigestDeps, 'engine'>): ChosenScorer {
  if (name === 'llm') return { id: 'llm', scorer: null };
  const wanted = name ?? engine.defaultEncoder;
  const scorer = engine.encoders.get(wanted) ?? engine.rerankers.get(wanted);
  if (scorer !== undefined) return { id: scorer.profile.id, scorer };
  const there = [...engine.encoders.keys(), ...engine.rerankers.keys(), 'llm'].map((each) => `"${each}"`).join(', ');
  throw new UsageError(`--scorer names no encoder or reranker of this service: "${wanted}"; there is ${there}.`);
}

interface Told {
  readonly short: readonly ShortIntent[];
  readonly counts: Readonly<Record<string, number>>;
  readonly threshold: number;
  readonly least: number;
  readonly scorer: string;
}

/** What came of the intents, in lines; with it what a person needs who wants another threshold. */
function intentsTold({ short, counts, threshold, least, scorer }: Told): string {
  const { intents, kept, collections, missing, collectionsWithoutQuestions, cutDocuments, documentsNotShown } = counts;
  const lines = [
    `Kept ${kept} of ${intents} intents (collections: ${collections}): those with ${least} relevant questions or more, scored above ${threshold} by ${scorer}.`,
    missing > 0 && `Intents missing, as the model gave fewer that can be used: ${missing}.`,
    collectionsWithoutQuestions > 0 &&
      `Collections left out, as they have no questions: ${collectionsWithoutQuestions}.`,
    cutDocuments > 0 && `Documents of which the model was shown the beginning alone: ${cutDocuments}.`,
    documentsNotShown > 0 &&
      `Documents of which the model was shown nothing, as its context holds no more: ${documentsNotShown}.`,
    counts.unweighed > 0 &&
      `Scores that are 1 or 0, as the server tells no probabilities, so that no threshold between them matters: ${counts.unweighed}.`,
    counts.unscored > 0 &&
      `Questions that count as not relevant, as the model gave no readable answer: ${counts.unscored}.`,
    counts.foreignIntents > 0 &&
      `Intents in a language that ${scorer} was not trained for, about which its scores tell little: ${counts.foreignIntents}.`,
    ...short.map((each) => shortLine(each, threshold, least)),
  ];
  return lines.flatMap((line) => (line === false ? [] : [`${line}\n`])).join('');
}

function shortLine({ collection, intent, relevant, questions, scores }: ShortIntent, threshold: number, least: number) {
  const spread =
    scores === null
      ? 'there are no scores'
      : `scores have median ${scores.median.toFixed(3)}, 90% quantile ${scores.p90.toFixed(3)}, maximum ${scores.most.toFixed(3)}`;
  return `Dropped of ${collection}: ${JSON.stringify(intent)}: ${relevant} of ${questions} questions above ${threshold}, fewer than ${least}; ${spread}.`;
}

/** Padmakumar et al. 2025, sections 4.1.3 and B.2. */
const [INTENTS, LEAST] = [5, 20];

const FLAGS = {
  ...PROTOCOL_FLAGS,
  intents: { type: 'string' },
  threshold: { type: 'string' },
  least: { type: 'string' },
  scorer: { type: 'string' },
} as const;

/** Makes user intents for every collection of a set, and marks the questions that are relevant to them. */
export const intentsCommand: BenchmarkCommand = {
  summary: 'Add questions of different readers to a set.',
  usage: `SET [--intents ${INTENTS}] [--threshold SCORE] [--least ${LEAST}] [--scorer NAME|llm] ${PROTOCOL_USAGE}`,
  examples: ['tessera benchmark intents questions.json --intents 5 --out intents.json'],
  async run(args, service, streams, signal) {
    const { values, positionals } = parseFlags(args, FLAGS);
    const path = onlyPositional(positionals, 'the file of a benchmark set');
    const options = protocolOptions(values);
    const intents = wholeNumber('--intents', values.intents, INTENTS);
    const least = wholeNumber('--least', values.least, LEAST, 0);
    const given = values.threshold === undefined ? null : score(values.threshold);
    const set = readSet(path);
    refuse(set, path);
    const parts = await service();
    const { id, scorer } = relevanceScorer(values.scorer, parts);
    if (given === null && scorer !== null && isReranker(scorer)) {
      throw new UsageError(
        `--scorer "${values.scorer}" is a reranker, whose scores have a scale of their own: say --threshold.`,
      );
    }
    const threshold = given ?? relevantAbove(id);
    if (given === null && scorer !== null && !isMeasured(id)) {
      streams.stderr.write(
        `Questions count as relevant above ${threshold}, a cosine found for another encoder: for ${id} none was measured; look at the intents that are dropped, and say --threshold.\n`,
      );
    }
    // Without a model it is refused before anything is read.
    const contextTokens = parts.models.model?.contextTokens ?? 0;
    const protocol = intentsProtocol(set, { intents, threshold, least, scorer: id, contextTokens });
    const made = await makeWithModel(protocol, options, parts, streams, signal);
    if ('code' in made) return made.code;
    const scored = await scoresOf(made.result, scorer, parts.cache, signal);
    if (scored === null) return stopped(streams.stderr, 'answered');
    const { cases, short, counts } = keepIntents(scored, threshold, least);
    const foreignIntents = scored.filter(({ intent }) => isForeign(scorer, intent)).length;
    const all = { ...made.making.counts, ...counts, foreignIntents };
    streams.stderr.write(intentsTold({ short, counts: all, threshold, least, scorer: id }));
    const making = { ...made.making, counts: all };
    if (cases.length === 0) {
      streams.stderr.write('No intent was kept, so nothing is written.\n');
      return 1;
    }
    const answered = scored.filter(({ scores }) => scores.some((each) => each !== null));
    const { set: asked, lost } = withIntents(set, cases, new Set(answered.map(({ collection }) => collection)));
    if (lost > 0) {
      streams.stderr.write(
        `Earlier intents that are gone, with the key points and other references made for them: ${lost}.\n`,
      );
    }
    writeJson(options.out, { ...asked, made: [...set.made, making] }, streams.stdout);
    return 0;
  },
};

/** @throws UsageError for a set that this step can do nothing with */
function refuse(set: BenchmarkSet, path: string): void {
  if (set.collections.every(({ questions = [] }) => questions.length === 0)) {
    throw new UsageError(`${path}: its collections have no questions; run benchmark questions first.`);
  }
  const foreign = foreignIds(set);
  if (foreign.length > 0) {
    const names = foreign.map((id) => `"${id}"`).join(', ');
    throw new UsageError(`${path}: its cases ${names} have ids that this step gives; give them others.`);
  }
}

/** Rerankers score on scales of their own, so that any number may be a threshold. */
function score(given: string): number {
  const number = Number(given);
  if (given.trim() === '' || !Number.isFinite(number)) {
    throw new UsageError(`--threshold is a number, not "${given}".`);
  }
  return number;
}

/** One intent after the other; null where it was stopped. */
async function scoresOf(
  made: readonly MadeIntent[],
  scorer: RelevanceScorer | null,
  cache: WorkCache,
  signal: AbortSignal,
): Promise<ScoredIntent[] | null> {
  const scored: ScoredIntent[] = [];
  for (const each of made) {
    if (signal.aborted) return null;
    const texts = each.questions.map(({ question }) => question);
    const scores =
      scorer === null ? (each.weighed?.scores ?? []) : await scoredRelevance(each.intent, texts, scorer, cache);
    scored.push({ ...each, scores });
  }
  return scored;
}

/** Whether an intent is in a language that the encoder was not trained for, so that its cosines tell little. */
function isForeign(scorer: RelevanceScorer | null, intent: string): boolean {
  return scorer !== null && !isReranker(scorer) && isForeignTo(scorer, intent);
}
