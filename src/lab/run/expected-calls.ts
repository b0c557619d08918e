import {
  aboutText,
  MODEL_EXTRACTOR_VERSION,
  NAIVE_SHARE,
  type TitledText,
  WINDOW_OVERLAP,
  windowBytes,
} from '../../digest/index.ts';
import { BYTES_PER_TOKEN } from '../../models/index.ts';
import { utf8Length } from '../../text/index.ts';
import type { BenchmarkCase } from '../benchmark-set.ts';
import type { CallEstimate } from '../makers/maker.ts';
import type { PlannedOutput } from './plan-run.ts';

const PROMPT_TOKENS = 600;
const VERDICT_TOKENS = 80;
/** Assumed sentences of a summary that does not exist yet. */
const SENTENCES = 10;
const SUMMARY_TOKENS = 500;

export interface ExpectedAsking {
  readonly isJudge: boolean;
  /** Keys of existing outputs, which only need scoring. */
  readonly made: ReadonlySet<string>;
  readonly contextTokens: number;
}

/**
 * Estimates the model calls for the missing outputs. Systems that read a document alike share its call; a model's
 * summary takes two calls, or one with a single prompt; a judge takes one per judged item.
 */
export function expectedCalls(
  open: readonly PlannedOutput[],
  { isJudge, made, contextTokens }: ExpectedAsking,
): CallEstimate {
  let [calls, promptTokens, completionTokens] = [0, 0, 0];
  const add = (count: number, prompt: number, completion: number): void => {
    calls += count;
    promptTokens += count * (PROMPT_TOKENS + prompt);
    completionTokens += count * completion;
  };
  const windowTokens = ((1 - WINDOW_OVERLAP) * windowBytes(contextTokens)) / BYTES_PER_TOKEN;
  const read = new Map<string, Set<string>>();
  const readOnce = (extractor: string, document: TitledText): void => {
    const seen = read.get(extractor) ?? new Set();
    read.set(extractor, seen);
    const shown = aboutText(document) + document.text;
    if (seen.has(shown)) return;
    seen.add(shown);
    const tokens = tokensOf(document.text);
    const windows = Math.ceil(tokens / windowTokens);
    if (windows > 0) add(windows, tokens / windows, tokens / windows);
  };
  const asked = new Set(made);
  const scored = new Set<string>();
  for (const { key, outputKey, identity, documents, case: each } of open) {
    if (isJudge && !scored.has(key)) add(verdicts(each), SUMMARY_TOKENS, VERDICT_TOKENS);
    scored.add(key);
    if (identity === null || identity.model === null || asked.has(outputKey)) continue;
    asked.add(outputKey);
    if (identity.strategy === 'naive') {
      const tokens = documents.reduce((sum, { text }) => sum + tokensOf(text), 0);
      add(1, Math.min(tokens, NAIVE_SHARE * contextTokens), SUMMARY_TOKENS);
      continue;
    }
    if (identity.extractor.startsWith(MODEL_EXTRACTOR_VERSION)) {
      for (const document of documents) readOnce(identity.extractor, document);
    }
    if (identity.model.settings.select !== undefined) add(1, SUMMARY_TOKENS, SUMMARY_TOKENS);
    if (identity.writer === 'llm') add(2, SUMMARY_TOKENS, SUMMARY_TOKENS);
  }
  return { calls, promptTokens: Math.round(promptTokens), completionTokens: Math.round(completionTokens) };
}

function tokensOf(text: string): number {
  return Math.ceil(utf8Length(text) / BYTES_PER_TOKEN);
}

function verdicts({ insights = [], questions = [], keyPoints = [], nuggets = [] }: BenchmarkCase): number {
  const ofReport = nuggets.length > 0 ? 3 * SENTENCES : 0;
  const ofAnswer = keyPoints.length > 0 ? keyPoints.length + SENTENCES : 0;
  return insights.length + questions.length + ofAnswer + ofReport;
}
