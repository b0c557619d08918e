import { z } from 'zod';
import { contentHash } from '../../text/documents/content-hash.ts';
import { asData } from '../../models/language/as-data.ts';
import type { JsonForm } from '../../models/language/stage-model.ts';
import type { Unit, Verdict, VerdictAsker } from './ask-verdicts.ts';

export const RELEVANCE = {
  name: 'relevance',
  schema: z.object({ relevant: z.enum(['YES', 'NO']) }),
} satisfies JsonForm<unknown>;
type RelevanceAnswer = z.infer<typeof RELEVANCE.schema>;

interface RelevanceVerdict extends Verdict {
  readonly relevant: boolean;
}

const ANSWER_TOKENS = 100;

/** Which questions are relevant to an intent (Padmakumar et al. 2025, section 5): one call a question. */
export async function modelRelevance(
  asker: VerdictAsker,
  questions: readonly string[],
  intent: string,
): Promise<boolean[]> {
  const units = questions.map((question) => unitOf(question, intent));
  await asker.lookUp(units);
  return asker.all(units.map((unit) => async () => (await asker.ask(unit)).relevant));
}

function unitOf(question: string, intent: string): Unit<RelevanceAnswer, RelevanceVerdict> {
  return {
    purpose: 'judge-relevance',
    hashes: [contentHash(question), contentHash(intent)],
    values: () => ({ intent: asData('intent', intent), question: asData('question', question) }),
    form: RELEVANCE,
    maxTokens: ANSWER_TOKENS,
    read: ({ relevant }) => ({ relevant: relevant === 'YES' }),
    none: { relevant: false },
  };
}
