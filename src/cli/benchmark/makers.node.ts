import type { DigestDeps } from '../../digest/index.ts';
import { intentsMaker, nuggetsMaker, questionsMaker } from '../../lab/index.ts';
import { isReranker, type RelevanceScorer } from '../../models/index.ts';
import { UsageError } from '../command.node.ts';
import { contextTokensOf, makerCommand } from './make-with-model.node.ts';
import { wholeNumber } from './protocol-flags.node.ts';

/** Padmakumar et al. 2025, section 4.1.2. */
const QUESTIONS = 10;

export const questionsCommand = makerCommand({
  summary: 'Add questions that the documents of a set answer.',
  usage: `[--questions ${QUESTIONS}] [--limit DOCUMENTS] `,
  examples: ['tessera benchmark questions set.json --out questions.json'],
  flags: ['questions', 'limit'],
  makerOf(given) {
    const questions = wholeNumber('--questions', given('questions'), QUESTIONS);
    const limit = given('limit') === undefined ? null : wholeNumber('--limit', given('limit'), 1);
    return (set, deps) => questionsMaker(set, { questions, limit, contextTokens: contextTokensOf(deps) });
  },
});

/** Padmakumar et al. 2025, sections 4.1.3 and B.2. */
const [INTENTS, LEAST] = [5, 20];

export const intentsCommand = makerCommand({
  summary: 'Add questions of different readers to a set.',
  usage: `[--intents ${INTENTS}] [--threshold SCORE] [--least ${LEAST}] [--scorer NAME|llm] `,
  examples: ['tessera benchmark intents questions.json --intents 5 --out intents.json'],
  flags: ['intents', 'threshold', 'least', 'scorer'],
  makerOf(given) {
    const intents = wholeNumber('--intents', given('intents'), INTENTS);
    const least = wholeNumber('--least', given('least'), LEAST, 0);
    const score = given('threshold');
    // Rerankers have scales of their own: any number may be a threshold.
    const threshold = score === undefined ? null : Number(score);
    if (score?.trim() === '' || !Number.isFinite(threshold ?? 0)) {
      throw new UsageError(`--threshold is a number, not "${score}".`);
    }
    return (set, deps) => {
      const scorer = scorerOf(given('scorer'), deps);
      if (threshold === null && scorer !== null && isReranker(scorer)) {
        throw new UsageError(
          `--scorer "${given('scorer')}" is a reranker, whose scores have a scale of their own: say --threshold.`,
        );
      }
      return intentsMaker(set, { intents, threshold, least, scorer, contextTokens: contextTokensOf(deps) }, deps.cache);
    };
  },
});

function scorerOf(name: string | undefined, { engine }: Pick<DigestDeps, 'engine'>): RelevanceScorer | null {
  if (name === 'llm') return null;
  const wanted = name ?? engine.defaultEncoder;
  const scorer = engine.encoders.get(wanted) ?? engine.rerankers.get(wanted);
  if (scorer !== undefined) return scorer;
  const there = [...engine.encoders.keys(), ...engine.rerankers.keys(), 'llm'].map((each) => `"${each}"`).join(', ');
  throw new UsageError(`--scorer names no encoder or reranker of this service: "${wanted}"; there is ${there}.`);
}

const [PER_DOCUMENT, NUGGETS] = [10, 20];

export const nuggetsCommand = makerCommand({
  summary: 'Add nuggets: questions with answers bound to the documents that attest them.',
  usage: `[--per-document ${PER_DOCUMENT}] [--nuggets ${NUGGETS}] `,
  examples: ['tessera benchmark nuggets intents.json --out nuggets.json'],
  flags: ['per-document', 'nuggets'],
  makerOf(given) {
    const perDocument = wholeNumber('--per-document', given('per-document'), PER_DOCUMENT);
    const nuggets = wholeNumber('--nuggets', given('nuggets'), NUGGETS);
    return (set, deps) => nuggetsMaker(set, { perDocument, nuggets, contextTokens: contextTokensOf(deps) });
  },
});
