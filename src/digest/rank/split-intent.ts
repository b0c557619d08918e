import { z } from 'zod';
import { asData } from '../../models/index.ts';
import { foreignIn, plainText } from '../../summary/index.ts';
import { languageName } from '../../text/index.ts';
import type { ReadDocument } from '../extract/read-documents.ts';
import type { Asking, Plan } from '../plan.ts';
import { orInstead, type Run } from '../run.ts';
import { commonLanguage, inLanguageOf, isForeign, type Query, splitFacets, whole } from './query.ts';

const PARTS = { name: 'parts', schema: z.object({ parts: z.array(z.string()) }) };
const MAX_PARTS = 6;
const MAX_PART_LENGTH = 500;
const ANSWER_TOKENS = 600;

export interface Split {
  /** The query as asked, with its facets. */
  readonly asked: Query;
  readonly isDegraded: boolean;
  readonly warnings: readonly string[];
}

export interface Question extends Split {
  /** The query used for relevance; may be translated. */
  readonly searched: Query;
}

const asIs = (asked: Query): Split => ({ asked, isDegraded: false, warnings: [] });

export function splitIntent(run: Run, { splitter, query, key }: Plan): Promise<Split> {
  return run.step('rank', 'part', key, async () => {
    const { text } = query;
    if (splitter === null || text === null) return asIs(query);
    const byRules = (why: string): Split => ({
      asked: { ...query, facets: splitFacets(text) },
      isDegraded: true,
      warnings: [`${why}; the intent was split by rules instead.`],
    });
    const byModel = async (): Promise<Split> => {
      const facets = await askForParts(splitter, text, {});
      if (facets.length === 0) return byRules('The language model named no part of the intent');
      return asIs({ ...query, facets: facets.map(whole) });
    };
    return orInstead(run, 'rank', byModel, (why) =>
      byRules(`Splitting the intent by the language model failed: ${why}`),
    );
  });
}

/** Translates the question if the encoder supports only the language of the documents and a language model is in use. */
export async function translateIntent(
  run: Run,
  { translator, options: { relevanceEncoder } }: Plan,
  split: Split,
  { documents, key }: { readonly documents: readonly ReadDocument[]; readonly key: string },
): Promise<Question> {
  const asked = inLanguageOf(split.asked, documents);
  const { text } = asked;
  const language = commonLanguage(documents);
  const isNeeded = isForeign(asked.language, relevanceEncoder) && !isForeign(language, relevanceEncoder);
  const untranslated: Question = { ...split, asked, searched: asked };
  return run.step('rank', 'translate', [key, asked.facets, asked.language], async () => {
    if (translator === null || text === null || language === 'und' || !isNeeded) return untranslated;
    const failed = (warning: string): Question => ({
      ...untranslated,
      isDegraded: true,
      warnings: [...split.warnings, warning],
    });
    const byModel = async (): Promise<Question> => {
      const facets = await askForParts(translator(), text, { language: languageName(language) });
      if (facets.length === 0) return failed('The language model did not translate the intent.');
      return { ...untranslated, searched: { ...asked, language, facets: facets.map(whole) } };
    };
    return orInstead(run, 'rank', byModel, (why) =>
      failed(`Translating the intent by the language model failed: ${why}.`),
    );
  });
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
    (part) => /[\p{L}\p{N}]/u.test(part) && part.length <= MAX_PART_LENGTH && foreignIn(part, [question]) === null,
  );
  return facets.slice(0, MAX_PARTS);
}
