import { aboutText, MODEL_EXTRACTOR_VERSION, NAIVE_SHARE, WINDOW_OVERLAP, windowBytes } from '../../digest/index.ts';
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
  const total = { calls: 0, promptTokens: 0, completionTokens: 0 };
  const add = (count: number, prompt: number, completion: number): void => {
    total.calls += count;
    total.promptTokens += count * (PROMPT_TOKENS + prompt);
    total.completionTokens += count * completion;
  };
  const windowTokens = ((1 - WINDOW_OVERLAP) * windowBytes(contextTokens)) / BYTES_PER_TOKEN;
  const [read, asked, scored] = [new Set<string>(), new Set(made), new Set<string>()];
  const isNew = (seen: Set<string>, key: string) => seen.size < seen.add(key).size;
  for (const { key, outputKey, identity, documents, case: each } of open) {
    if (isNew(scored, key) && isJudge) add(verdicts(each), SUMMARY_TOKENS, VERDICT_TOKENS);
    if (identity === null || identity.model === null || !isNew(asked, outputKey)) continue;
    const { extractor, strategy, writer, model } = identity;
    const sizes = documents.map(({ text }) => Math.ceil(utf8Length(text) / BYTES_PER_TOKEN));
    if (strategy === 'naive') {
      const tokens = sizes.reduce((sum, size) => sum + size, 0);
      add(1, Math.min(tokens, NAIVE_SHARE * contextTokens), SUMMARY_TOKENS);
      continue;
    }
    documents.forEach((document, place) => {
      const windows = Math.ceil(sizes[place] / windowTokens);
      if (!extractor.startsWith(MODEL_EXTRACTOR_VERSION) || windows === 0) return;
      if (!isNew(read, JSON.stringify([extractor, aboutText(document) + document.text]))) return;
      add(windows, sizes[place] / windows, sizes[place] / windows);
    });
    if (model.settings.select !== undefined) add(1, SUMMARY_TOKENS, SUMMARY_TOKENS);
    if (writer === 'llm') add(2, SUMMARY_TOKENS, SUMMARY_TOKENS);
  }
  const { calls, promptTokens, completionTokens } = total;
  return { calls, promptTokens: Math.round(promptTokens), completionTokens: Math.round(completionTokens) };
}

function verdicts({ insights = [], questions = [], keyPoints = [], nuggets = [] }: BenchmarkCase): number {
  const ofReport = nuggets.length > 0 ? 3 * SENTENCES : 0;
  const ofAnswer = keyPoints.length > 0 ? keyPoints.length + SENTENCES : 0;
  return insights.length + questions.length + ofAnswer + ofReport;
}
