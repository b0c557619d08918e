import { BYTES_PER_TOKEN } from '../../models/index.ts';
import { wordOverlap, wordSet } from '../../selection/index.ts';
import { countWords } from '../../summary/index.ts';
import { beginning, type SourceDocument, sentences, utf8Length } from '../../text/index.ts';
import { NotRetrievableError, type Retrieval, type Summarise } from './retrieval.ts';

type Show = NonNullable<Retrieval['show']>;

/** Whether places in the shown text are others than in the document, so that no label and no quote tells where they are. */
export function movesPlaces(show: Retrieval['show']): boolean {
  return show !== undefined && !('tokens' in show);
}

/**
 * What a system is shown of a document (Qi et al. 2024, section 5.3): its first tokens, the stretch of sentences that shares most words
 * with the intent, or a summary. A first sentence that is too long is cut; the text of a summary that says nothing is empty.
 *
 * @throws NotRetrievableError for a snippet of a case without an intent
 */
export async function shortenDocument(
  document: SourceDocument,
  show: Show,
  { id, intent }: { readonly id: string; readonly intent?: string | undefined },
  summarise: Summarise | undefined,
): Promise<SourceDocument> {
  if ('tokens' in show) {
    const bytes = show.tokens * BYTES_PER_TOKEN;
    // A UTF-16 unit has at most three bytes.
    const text = beginningWithin(document.text, bytes) || beginning(document.text, Math.floor(bytes / 3));
    return { ...document, text };
  }
  if ('summary' in show) {
    if (summarise === undefined) throw new TypeError('nothing summarises here');
    return { ...document, text: await summarise(document, intent, show.summary) };
  }
  if (intent === undefined) throw new NotRetrievableError(id, 'has no intent, so that there are no snippets for it');
  return { ...document, text: snippetOf(document.text, intent, show.snippet) };
}

/** As many whole sentences from the start of a text as fit; empty where the first does not. */
export function beginningWithin(text: string, bytes: number): string {
  let [end, size] = [0, 0];
  for (const sentence of sentences(text)) {
    size += utf8Length(text, end, sentence.end);
    if (size > bytes) break;
    end = sentence.end;
  }
  return text.slice(0, end);
}

/** The first of the best stretches of whole sentences, of so many words at most; a longer sentence stands alone. */
function snippetOf(text: string, intent: string, words: number): string {
  const spans = sentences(text);
  const sizes = spans.map(({ start, end }) => countWords(text.slice(start, end)));
  const stretches = spans.map(({ start }, first) => {
    let [last, size] = [first, sizes[first]];
    while (last + 1 < spans.length && size + sizes[last + 1] <= words) size += sizes[++last];
    return text.slice(start, spans[last].end);
  });
  const shares = wordOverlap(wordSet(intent), stretches.map(wordSet));
  const best = shares.reduce((found, share, place) => (share > shares[found] ? place : found), 0);
  return stretches[best] ?? text;
}
