import type { Reader } from '../summary/rewrite/writing-prompt.ts';
import type { Query } from './intent.ts';
import type { DigestRequest } from './request.ts';

/** Who the digest is for, as a writer is told. */
export function readerOf({ intent }: Pick<DigestRequest, 'intent'>, { question, background, language }: Query): Reader {
  const story = typeof intent === 'object' ? intent.userStory?.trim() : undefined;
  return { question, userStory: story || null, background, language };
}
