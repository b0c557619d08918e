import { ModelCallError } from '../../models/index.ts';
import { languageName } from '../../text/index.ts';
import type { DigestDeps } from '../digest-deps.ts';
import { commonLanguage, isForeign } from '../extract/languages.ts';
import type { ReadDocument } from '../extract/read-documents.ts';
import type { DigestPlan } from '../plan-digest.ts';
import { whole } from './facets.ts';
import type { Query } from './intent.ts';
import { askForParts, type PartedIntent } from './part-intent.ts';

/**
 * The query as relevance is found by: where the encoder does not know its language but knows that of the documents, and a
 * language model is in use anyway, in theirs. Where that fails it stays as it is, and shared words decide.
 */
export async function translateIntent(
  { translator, options: { relevanceEncoder } }: DigestPlan,
  query: Query,
  documents: readonly ReadDocument[],
  { reportFailure }: DigestDeps,
): Promise<PartedIntent> {
  const asked: PartedIntent = { query, isDegraded: false, warnings: [] };
  const language = commonLanguage(documents);
  const isNeeded = isForeign(query.language, relevanceEncoder) && !isForeign(language, relevanceEncoder);
  if (translator === null || query.text === null || language === 'und' || !isNeeded) return asked;
  try {
    const facets = await askForParts(translator(), query.text, { language: languageName(language) });
    if (facets.length > 0) return { ...asked, query: { ...query, language, facets: facets.map(whole) } };
    return { ...asked, isDegraded: true, warnings: ['The language model did not translate the intent.'] };
  } catch (failure) {
    if (!(failure instanceof ModelCallError)) throw failure;
    reportFailure(failure, { stage: 'rank', document: '' });
    return {
      ...asked,
      isDegraded: true,
      warnings: [`Translating the intent by the language model failed: ${failure.message}`],
    };
  }
}
