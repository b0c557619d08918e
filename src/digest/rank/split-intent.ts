import { z } from 'zod';
import { asData, ModelCallError } from '../../models/index.ts';
import { plainText } from '../../summary/index.ts';
import { languageName } from '../../text/index.ts';
import type { ReadDocument } from '../extract/read-documents.ts';
import type { Asking, Plan } from '../plan.ts';
import type { Run } from '../run.ts';
import { commonLanguage, inLanguageOf, isForeign, type Query, splitFacets, whole } from './query.ts';

const PARTS = { name: 'parts', schema: z.object({ parts: z.array(z.string()) }) };
const MAX_PARTS = 6;
const MAX_PART_LENGTH = 500;
const ANSWER_TOKENS = 600;

export interface Question {
  readonly query: Query;
  /** The query used for relevance; may be translated. */
  readonly searched: Query;
  readonly isDegraded: boolean;
  readonly warnings: readonly string[];
}

interface Split {
  readonly query: Query;
  readonly isDegraded: boolean;
  readonly warnings: readonly string[];
}

export function splitIntent(run: Run, { splitter, query, key }: Plan): Promise<Split> {
  return run.step('rank', 'part', key, async () => {
    if (splitter === null || query.text === null) return { query, isDegraded: false, warnings: [] };
    const byRules = (why: string): Split => ({
      query: { ...query, facets: splitFacets(query.text ?? '') },
      isDegraded: true,
      warnings: [`${why}; the intent was split by rules instead.`],
    });
    try {
      const facets = await askForParts(splitter, query.text, {});
      if (facets.length === 0) return byRules('The language model named no part of the intent');
      return { query: { ...query, facets: facets.map(whole) }, isDegraded: false, warnings: [] };
    } catch (failure) {
      if (!(failure instanceof ModelCallError)) throw failure;
      run.reportFailure(failure, { stage: 'rank', document: '' });
      return byRules(`Splitting the intent by the language model failed: ${failure.message.replace(/\.$/, '')}`);
    }
  });
}

/** Translates the question if the encoder supports only the language of the documents and a language model is in use. */
export async function translateIntent(
  run: Run,
  { translator, options: { relevanceEncoder } }: Plan,
  split: Split,
  { documents, key }: { readonly documents: readonly ReadDocument[]; readonly key: string },
): Promise<Question> {
  const query = inLanguageOf(split.query, documents);
  const asked: Split = { query, isDegraded: false, warnings: [] };
  const language = commonLanguage(documents);
  const isNeeded = isForeign(query.language, relevanceEncoder) && !isForeign(language, relevanceEncoder);
  const searched = await run.step(
    'rank',
    'translate',
    [key, query.facets, query.language],
    async (): Promise<Split> => {
      if (translator === null || query.text === null || language === 'und' || !isNeeded) return asked;
      try {
        const facets = await askForParts(translator(), query.text, { language: languageName(language) });
        if (facets.length > 0) return { ...asked, query: { ...query, language, facets: facets.map(whole) } };
        return { ...asked, isDegraded: true, warnings: ['The language model did not translate the intent.'] };
      } catch (failure) {
        if (!(failure instanceof ModelCallError)) throw failure;
        run.reportFailure(failure, { stage: 'rank', document: '' });
        const warning = `Translating the intent by the language model failed: ${failure.message}`;
        return { ...asked, isDegraded: true, warnings: [warning] };
      }
    },
  );
  return {
    query,
    searched: searched.query,
    isDegraded: split.isDegraded || searched.isDegraded,
    warnings: [...split.warnings, ...searched.warnings],
  };
}

/** @throws ModelCallError */
async function askForParts(
  { model, prompts }: Asking<'facets'>,
  question: string,
  values: Readonly<Record<string, string>>,
): Promise<string[]> {
  const { parts } = await model.askFor(
    { prompt: prompts.facets, values: { ...values, question: asData('question', question) }, maxTokens: ANSWER_TOKENS },
    PARTS,
  );
  const facets = [...new Set(parts.map(plainText))].filter(
    (part) => /[\p{L}\p{N}]/u.test(part) && part.length <= MAX_PART_LENGTH,
  );
  return facets.slice(0, MAX_PARTS);
}
