import { shuffled } from '../../selection/dpp/shuffled.ts';
import type { Protocol } from '../asking/asked-model.ts';
import { askOutline } from './ask-outline.ts';
import { assembleHaystack } from './assemble-haystack.ts';
import { drawsFor } from './draws.ts';
import { estimateCalls, mostCalls } from './estimate-calls.ts';
import { type Counts, type Haystack, type HaystackOptions, insightsOf } from './haystack-options.ts';
import { planDocuments } from './plan-documents.ts';
import { recategorise } from './recategorise.ts';
import { settleDocument } from './settle-document.ts';

/** To be raised with every change of what comes out. */
export const HAYSTACK_VERSION = 3;

/**
 * A haystack of documents that a model writes, with what each of them tells (Laban et al. 2024, section 3.2): an outline of
 * subtopics and insights, checked by sorting it again, insights dealt to documents, documents written, read and put right.
 * The result is null where nothing came of the outline or of the documents; the counts say of what.
 *
 * @param contextTokens tokens that the model takes: in how many calls a document is read depends on it
 */
export function haystackProtocol(options: HaystackOptions, contextTokens: number): Protocol<Haystack | null> {
  const { topic, kind, subtopics, insights, documents, words, least, edits } = options;
  return {
    step: 'haystack',
    version: HAYSTACK_VERSION,
    options: {
      topic,
      kind,
      subtopics,
      insights: `${insights.least}-${insights.most}`,
      documents,
      words,
      least,
      edits,
      context: contextTokens,
    },
    expected: () => estimateCalls(options, contextTokens),
    most: () => mostCalls(options, contextTokens),
    async make(model) {
      const outline = await askOutline(model, options);
      const sorted = await recategorise(model, outline.subtopics, options);
      const all = insightsOf(sorted.subtopics);
      const outlined = { ...outline.counts, ...sorted.counts };
      if (all.length === 0) return { result: null, counts: outlined };
      const texts = all.map(({ text }) => text);
      const shown = shuffled(
        texts.map((text, place) => ({ text, place })),
        drawsFor('showing', options.seed),
      );
      const settled = await Promise.all(
        planDocuments(all, options).map((plan) => settleDocument(model, plan, texts, shown, options)),
      );
      const written = settled.filter((document) => typeof document !== 'string');
      const { haystack, counts } = assembleHaystack(sorted.subtopics, written, options);
      const ofDocuments = summed(written.map((document) => document.counts));
      const [unwritten, unread] = ['unwritten', 'unread'].map((why) => settled.filter((each) => each === why).length);
      return { result: haystack, counts: { ...outlined, ...counts, unwritten, unread, ...ofDocuments } };
    },
  };
}

function summed(all: readonly Counts[]): Counts {
  const sums: Record<string, number> = {};
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}
