import { z } from 'zod';
import { asData, ModelCallError } from '../../models/index.ts';
import { plainText } from '../../summary/index.ts';
import type { DigestDeps } from '../digest-deps.ts';
import type { Asking, DigestPlan } from '../plan-digest.ts';
import { splitFacets, whole } from './facets.ts';
import type { Query } from './intent.ts';

const PARTS = { name: 'parts', schema: z.object({ parts: z.array(z.string()) }) };
const MAX_PARTS = 6;
const MAX_PART_LENGTH = 500;
const ANSWER_TOKENS = 600;

/** A query with its facets, and whether a model that was to part it did not. */
export interface PartedIntent {
  readonly query: Query;
  readonly isDegraded: boolean;
  readonly warnings: readonly string[];
}

/** The query with its facets: parted by a language model where the plan says so, by rules where that fails. */
export async function partIntent({ parter, query }: DigestPlan, { reportFailure }: DigestDeps): Promise<PartedIntent> {
  if (parter === null || query.text === null) return { query, isDegraded: false, warnings: [] };
  const byRules = (why: string): PartedIntent => ({
    query: { ...query, facets: splitFacets(query.text ?? '') },
    isDegraded: true,
    warnings: [`${why}; the intent was split by rules instead.`],
  });
  try {
    const facets = await askForParts(parter, query.text, {});
    if (facets.length === 0) return byRules('The language model named no part of the intent');
    return { query: { ...query, facets: facets.map(whole) }, isDegraded: false, warnings: [] };
  } catch (failure) {
    if (!(failure instanceof ModelCallError)) throw failure;
    reportFailure(failure, { stage: 'rank', document: '' });
    return byRules(`Splitting the intent by the language model failed: ${failure.message.replace(/\.$/, '')}`);
  }
}

/**
 * The parts that a model finds in a question, as texts that can be shown.
 *
 * @throws ModelCallError
 */
export async function askForParts(
  { model, prompts }: Asking<'facets'>,
  question: string,
  values: Readonly<Record<string, string>>,
): Promise<string[]> {
  const { parts } = await model.askFor(
    {
      prompt: prompts.facets,
      values: { ...values, question: asData('question', question) },
      maxTokens: ANSWER_TOKENS,
    },
    PARTS,
  );
  const facets = [...new Set(parts.map(plainText))].filter(
    (part) => /[\p{L}\p{N}]/u.test(part) && part.length <= MAX_PART_LENGTH,
  );
  return facets.slice(0, MAX_PARTS);
}
