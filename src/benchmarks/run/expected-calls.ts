import { utf8Length } from '../../documents/windows.ts';
import { BYTES_PER_TOKEN } from '../../language-models/usage.ts';
import type { CallEstimate } from '../asking/asked-model.ts';
import type { BenchmarkCase } from '../benchmark-set.ts';
import type { PlannedOutput } from './plan-run.ts';

/** Of instructions and form, beside what is shown. */
const PROMPT_TOKENS = 600;
/** Windows in which documents are read. */
const WINDOW_TOKENS = 2000;
const VERDICT_TOKENS = 80;
/** Sentences of a summary of which nothing is known yet. */
const SENTENCES = 10;
const SUMMARY_TOKENS = 500;

/**
 * About what the outputs that are still to be made will ask of a language model: documents that several systems read alike
 * are read once; every summary is written in two calls; a judge is asked once for each thing to judge.
 *
 * @param isJudge whether a language model judges
 */
export function expectedCalls(open: readonly PlannedOutput[], isJudge: boolean): CallEstimate {
  let [calls, promptTokens, completionTokens] = [0, 0, 0];
  const add = (count: number, prompt: number, completion: number): void => {
    calls += count;
    promptTokens += count * (PROMPT_TOKENS + prompt);
    completionTokens += count * completion;
  };
  const readings = new Set<string>();
  for (const { usesModel, reading, collection, case: each } of open) {
    if (isJudge) add(verdicts(each), SUMMARY_TOKENS, VERDICT_TOKENS);
    if (!usesModel) continue;
    const key = JSON.stringify([reading, collection.id]);
    if (!readings.has(key)) {
      readings.add(key);
      for (const { text } of collection.documents) {
        const tokens = Math.ceil(utf8Length(text) / BYTES_PER_TOKEN);
        const windows = Math.ceil(tokens / WINDOW_TOKENS);
        add(windows, tokens / windows, tokens / windows);
      }
    }
    add(2, SUMMARY_TOKENS, SUMMARY_TOKENS);
  }
  return { calls, promptTokens: Math.round(promptTokens), completionTokens: Math.round(completionTokens) };
}

/** What there is to judge of a summary: claims, questions, and sentences twice over. */
function verdicts({ insights = [], questions = [], keyPoints = [], nuggets = [] }: BenchmarkCase): number {
  const ofReport = nuggets.length > 0 ? 3 * SENTENCES : 0;
  const ofAnswer = keyPoints.length > 0 ? keyPoints.length + SENTENCES : 0;
  return insights.length + questions.length + ofAnswer + ofReport;
}
