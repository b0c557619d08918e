import { extractWithModel, WINDOW_OVERLAP, windowBytes } from '../../digest/index.ts';
import { asData, BYTES_PER_TOKEN } from '../../models/index.ts';
import { type SourceDocument, utf8Length } from '../../text/index.ts';
import type { BenchmarkSet } from '../benchmark-set.ts';
import { type AskedModel, isUnanswerable } from './asked-model.ts';
import { caseMaker, type ExpectedCalls, type Maker } from './maker.ts';
import { mergePoints, mergingRoom, type PlacedPoint } from './merge-points.ts';

/**
 * Extracts key points of a good answer to each case's question from every document, merges them, and keeps the useful
 * ones (Long2RAG, Qi et al. 2024, section 3.3).
 * @throws UnfitSetError if no case has an intent
 */
export function keyPointsMaker(
  set: BenchmarkSet,
  options: { readonly rounds: number; readonly threshold: number },
): Maker {
  const { rounds, threshold } = options;
  return caseMaker(set, {
    ...{ step: 'key-points', version: 5, field: 'keyPoints', options },
    expected: (documents, contextTokens) => expectedCalls(documents, Math.min(rounds, LIKELY_ROUNDS), contextTokens),
    async make(question, documents, model) {
      const read = await Promise.all(documents.map((document) => extractPoints(question, document, rounds, model)));
      const points = read.flat();
      const merged = await mergePoints(points, model);
      const weighed = await Promise.all(
        merged.map(({ text }) => {
          const values = { question: asData('question', question), point: asData('point', text) };
          return model.yes('benchmark-useful', values);
        }),
      );
      const made = merged.flatMap(({ text, spans }, place) => {
        const usefulness = weighed[place];
        return usefulness === null || usefulness < threshold ? [] : [{ text, spans: [...spans], usefulness }];
      });
      model.count('merged', points.length - merged.length);
      model.count('filtered', merged.length - made.length);
      model.count('kept', made.length);
      return made;
    },
  });
}

const [LIKELY_POINTS, LIKELY_ROUNDS, STRETCH_BYTES] = [6, 2, 7200];
const TOKENS = { rules: 400, point: 25, found: 400, group: 20, word: 2 };

function expectedCalls(documents: readonly SourceDocument[], rounds: number, contextTokens: number): ExpectedCalls[] {
  const partBytes = Math.max(1, (1 - WINDOW_OVERLAP) * windowBytes(contextTokens));
  const sizes = documents.map(({ text }) => utf8Length(text));
  const count = (of: number) => sizes.reduce((sum, size) => sum + Math.ceil(size / of), 0);
  const parts = count(partBytes);
  const tokens = sizes.reduce((sum, size) => sum + size, 0) / BYTES_PER_TOKEN;
  const stretches = count(Math.min(partBytes, STRETCH_BYTES));
  const points = stretches * LIKELY_POINTS;
  const { items, bytes } = mergingRoom(contextTokens);
  const batch = Math.max(2, Math.min(items, Math.floor(bytes / (TOKENS.point * BYTES_PER_TOKEN))));
  return [
    [parts * rounds, TOKENS.rules + tokens / parts, (TOKENS.found * stretches) / parts],
    // What is left is merged once more.
    [Math.ceil(points / batch), 2 * (TOKENS.rules + TOKENS.point * batch), 2 * TOKENS.group * batch],
    [points, TOKENS.rules + TOKENS.point, TOKENS.word],
  ];
}

async function extractPoints(question: string, document: SourceDocument, rounds: number, model: AskedModel) {
  const prompts = { first: model.prompt('extract-for-question'), more: model.prompt('extract-more-for-question') };
  const { keyPoints, unverified, failures } = await extractWithModel(document, { model, prompts, rounds, question });
  const other = failures.find((failure) => !isUnanswerable(failure));
  if (other !== undefined) throw other;
  model.count('extracted', keyPoints.length);
  model.count('unverified', unverified.length);
  return keyPoints
    .map((point): PlacedPoint => {
      const quotes = [point, ...(point.moreQuotes ?? [])].sort((a, b) => a.start - b.start);
      return { text: point.text, spans: quotes.map(({ start, end }) => ({ document: document.id, start, end })) };
    })
    .sort((a, b) => a.spans[0].start - b.spans[0].start);
}
