import { isForeignTo } from '../../evaluation/index.ts';
import { isReranker, type RelevanceScorer, type WorkCache } from '../../models/index.ts';
import type { BenchmarkSet } from '../benchmark-set.ts';
import { onlyPositional, parseFlags } from '../cli/parse-flags.node.ts';
import { stopped } from '../cli/run-notes.node.ts';
import { UsageError } from '../cli/usage-error.ts';
import { intentsProtocol, type MadeIntent } from '../intents/intents-protocol.ts';
import { keepIntents, type ScoredIntent } from '../intents/keep-intents.ts';
import { isMeasured, relevantAbove } from '../intents/relevant-above.ts';
import { scoredRelevance } from '../intents/scored-relevance.ts';
import { foreignIds, withIntents } from '../intents/with-intents.ts';
import type { BenchmarkCommand } from './command.ts';
import { intentsTold } from './describe-intents.ts';
import { makeWithModel } from './make-with-model.node.ts';
import { PROTOCOL_FLAGS, PROTOCOL_USAGE, protocolOptions, wholeNumber } from './protocol-flags.node.ts';
import { relevanceScorer } from './relevance-scorer.ts';
import { readSet, writeJson } from './set-file.node.ts';

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
  summary: 'Add what different readers would want to know of a set.',
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
