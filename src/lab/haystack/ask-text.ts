import { type Question, THOUGHTS, withoutUnseen } from '../../models/index.ts';
import { type AskedModel, nullIfUnanswerable } from '../asking/asked-model.ts';

const FENCE = /^```\w*\n([\s\S]*?)\n```$/;
/** Twice what English takes, so that a text that is too long is whole. */
const TOKENS_PER_WORD = 2.7;

/** Text that a model writes, without what it says of it; null where it wrote none that could be read. */
export async function askText(model: AskedModel, question: Question): Promise<string | null> {
  const answer = await nullIfUnanswerable(model.ask(question));
  if (answer === null) return null;
  const text = withoutUnseen(answer).replace(THOUGHTS, '').trim().replace(FENCE, '$1').trim();
  return /[\p{L}\p{N}]/u.test(text) ? text : null;
}

/** Tokens of an answer of so many words, at most half of the context. */
export function textTokens({ contextTokens }: Pick<AskedModel, 'contextTokens'>, words: number): number {
  return Math.min(200 + Math.ceil(words * TOKENS_PER_WORD), Math.floor(contextTokens / 2));
}
