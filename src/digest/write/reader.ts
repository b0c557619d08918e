import type { Reader } from '../../summary/index.ts';
import { encodedText } from '../extract/points.ts';
import type { Query } from '../rank/intent.ts';
import type { ResolvedRequest } from '../resolved-request.ts';

/** Who the digest is for, as a writer is told. */
export function readerOf(
  { intent }: Pick<ResolvedRequest, 'intent'>,
  { text, facets, constraints, background, earlier, language }: Query,
): Reader {
  const story = typeof intent === 'object' ? (intent.userStory?.trim() ?? '') : '';
  const request =
    earlier === null ? background : [background, ...earlier.points.map(encodedText)].filter(Boolean).join('\n');
  return {
    question: text,
    facets: facets.map((facet) => facet.text),
    userStory: [story, ...constraints].filter(Boolean).join('\n') || null,
    background: request || null,
    language,
  };
}
