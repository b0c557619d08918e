import type { CallEstimate } from '../asking/asked-model.ts';
import { OUTLINE_TOKENS } from './ask-outline.ts';
import { copiesOf } from './deal-insights.ts';
import { findingCalls } from './find-insights.ts';
import type { HaystackOptions } from './haystack-options.ts';
import { RECATEGORISED_AT_ONCE } from './recategorise.ts';
import { SHARPENED_AT_ONCE } from './sharpen-insights.ts';
import { chaptersOf, longestText } from './write-document.ts';

/** Edits that a document is likely to need. */
const EDITS = 0.5;
/** Tokens of an insight, of a subtopic with its query, of what a prompt says beside what is filled in, and of a word. */
const TOKENS = { insight: 35, subtopic: 40, prompt: 400, word: 1.4, found: 60 };
/** Of a token: as they are likely, and more than texts have on the whole. */
const BYTES = { likely: 4, most: 5 };

/**
 * Calls of a haystack: outline, sorting, and for each document writing, reading and, for one in two, an edit.
 *
 * @param contextTokens of the model: a document is read in as many calls as the list of all insights needs
 */
export function estimateCalls(options: HaystackOptions, contextTokens: number): CallEstimate {
  const { subtopics, documents, words, edits } = options;
  const insights = Math.ceil((subtopics * (options.insights.least + options.insights.most)) / 2);
  const load = loadOf(insights, options);
  const edited = edits === 0 ? 0 : EDITS * documents;
  const chapters = chaptersOf(options);
  const text = words * TOKENS.word;
  const [insightBytes, textBytes] = [TOKENS.insight, text].map((tokens) => BYTES.likely * tokens);
  const parts = findingCalls({ insights, insightBytes, planned: Math.ceil(load), textBytes }, contextTokens);
  const listed = insights * TOKENS.insight;
  const sorting = Math.ceil(insights / RECATEGORISED_AT_ONCE);
  const steps = [
    { calls: 1, prompt: 0, completion: listed + subtopics * TOKENS.subtopic },
    { calls: 1, prompt: 5 * TOKENS.insight, completion: 5 * TOKENS.insight },
    {
      calls: sorting,
      prompt: subtopics * TOKENS.subtopic + RECATEGORISED_AT_ONCE * TOKENS.insight,
      completion: RECATEGORISED_AT_ONCE * 12,
    },
    {
      calls: documents * chapters,
      prompt: (load * TOKENS.insight) / chapters,
      completion: text / chapters,
    },
    {
      calls: parts * (documents + edited),
      prompt: listed / parts + text,
      completion: (load * TOKENS.found) / parts,
    },
    { calls: edited, prompt: text + 2 * TOKENS.insight, completion: text },
  ];
  const total = (of: (step: (typeof steps)[number]) => number) =>
    Math.ceil(steps.reduce((sum, step) => sum + of(step), 0));
  return {
    calls: total(({ calls }) => calls),
    promptTokens: total(({ calls, prompt }) => calls * (prompt + TOKENS.prompt)),
    completionTokens: total(({ calls, completion }) => calls * completion),
  };
}

/**
 * Calls at the most: as many insights as are asked for, all of them vague at first, every document edited to the last, and
 * insights and documents as long as their answers may be.
 */
export function mostCalls(options: HaystackOptions, contextTokens: number): number {
  const { subtopics, documents, edits } = options;
  const insights = subtopics * options.insights.most;
  const [insightBytes, textBytes] = [OUTLINE_TOKENS.insight, longestText(options, contextTokens)].map(
    (tokens) => BYTES.most * tokens,
  );
  const planned = Math.ceil(loadOf(insights, options));
  const parts = findingCalls({ insights, insightBytes, planned, textBytes }, contextTokens);
  const outline = 1 + Math.ceil(insights / SHARPENED_AT_ONCE) + Math.ceil(insights / RECATEGORISED_AT_ONCE);
  return outline + documents * (chaptersOf(options) + (edits + 1) * parts + edits);
}

/** Insights of a document. */
function loadOf(insights: number, options: HaystackOptions): number {
  return (insights * copiesOf(insights, options)) / options.documents;
}
