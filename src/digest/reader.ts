import type { Reader } from '../summary/rewrite/writing-prompt.ts';
import type { Query } from './intent.ts';
import type { DigestRequest } from './request.ts';

/** Who the digest is for, as a writer is told. */
export function readerOf({ intent }: Pick<DigestRequest, 'intent'>, query: Query): Reader {
  const story = typeof intent === 'object' ? intent.userStory?.trim() : undefined;
  const problem = typeof intent === 'object' ? intent.problem.trim() : query.text;
  return {
    question: problem || null,
    userStory: story || null,
    background: query.background,
    language: query.language,
  };
}
