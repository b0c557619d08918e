import type { CallEstimate } from '../asking/asked-model.ts';
import type { HaystackOptions } from './haystack-options.ts';
import { RECATEGORISED_AT_ONCE } from './recategorise.ts';
import { chaptersOf } from './write-document.ts';

/** Edits that a document is likely to need. */
const EDITS = 0.5;
/** Tokens of an insight, of a subtopic with its query, of what a prompt says beside what is filled in, and of a word. */
const TOKENS = { insight: 35, subtopic: 40, prompt: 400, word: 1.4, found: 60 };

/** Calls of a haystack: outline, sorting, and for each document writing, reading and, for one in two, an edit. */
export function estimateCalls(options: HaystackOptions): CallEstimate {
  const { subtopics, documents, words, least, edits } = options;
  const insights = Math.ceil((subtopics * (options.insights.least + options.insights.most)) / 2);
  const load = Math.max(1, (insights * least) / documents);
  const edited = edits === 0 ? 0 : EDITS * documents;
  const chapters = chaptersOf(options);
  const text = words * TOKENS.word;
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
    { calls: documents + edited, prompt: listed + text, completion: load * TOKENS.found },
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
