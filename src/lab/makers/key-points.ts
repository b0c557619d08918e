import { extractWithModel, WINDOW_OVERLAP, windowBytes } from '../../digest/index.ts';
import { asData, BYTES_PER_TOKEN } from '../../models/index.ts';
import { type SourceDocument, utf8Length } from '../../text/index.ts';
import type { BenchmarkSet } from '../benchmark-set.ts';
import { type AskedModel, isUnanswerable } from './asked-model.ts';
import { caseMaker, type Maker } from './maker.ts';
import { MAX_POINTS, mergePoints, type PlacedPoint } from './merge-points.ts';

const LIKELY = { rounds: 2, bytesPerPoint: 1200 };
const TOKENS = { rules: 400, point: 25, found: 65, group: 20, word: 2 };

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
    ...{ step: 'key-points', version: 6, field: 'keyPoints', options },
    expected(documents, contextTokens) {
      const partBytes = (1 - WINDOW_OVERLAP) * windowBytes(contextTokens);
      const sizes = documents.map(({ text }) => utf8Length(text));
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      const parts = sizes.reduce((sum, size) => sum + Math.ceil(size / partBytes), 0);
      const points = Math.ceil(bytes / LIKELY.bytesPerPoint);
      const readings = parts * Math.min(rounds, LIKELY.rounds);
      return [
        [readings, TOKENS.rules + bytes / BYTES_PER_TOKEN / parts, (TOKENS.found * points) / parts],
        [Math.ceil(points / MAX_POINTS), TOKENS.rules + TOKENS.point * MAX_POINTS, TOKENS.group * MAX_POINTS],
        [points, TOKENS.rules + TOKENS.point, TOKENS.word],
      ];
    },
    async make(question, documents, model) {
      const read = await Promise.all(documents.map((document) => extractPoints(question, document, rounds, model)));
      const merged = await mergePoints(read.flat(), model);
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
      model.count('merged', read.flat().length - merged.length);
      model.count('filtered', merged.length - made.length);
      model.count('kept', made.length);
      return made;
    },
  });
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
