import { sourceNumbers } from '../../client/cited-quotes.ts';
import { layoutOf, type Sentence } from '../../client/digest-layout.ts';
import { plain } from '../../client/markdown-text.ts';
import type { Digest } from '../../contract/digest.ts';
import { notesOf, quotedSources } from './back-matter.ts';

/**
 * A digest as Markdown: its text, then the numbered sources with what they are cited by. Whatever documents say is text in it:
 * none of it is read as markup, and none gets out of its line.
 *
 * @param heading what was asked; none where nothing was
 */
export function digestMarkdown(heading: string | undefined, digest: Digest): string {
  const line = (sentences: readonly Sentence[]) => sentences.map((each) => marked(each, digest.sources)).join(' ');
  const text = layoutOf(digest.summary).map((part) => {
    if (part.kind === 'paragraph') return line(part.sentences);
    const items = part.items.map((sentences) => `- ${line(sentences)}`).join('\n');
    return part.label === null ? items : `${plain(part.label)}:\n\n${items}`;
  });
  const sources = quotedSources(digest).flatMap(({ number, title, quotes }) => [
    `**\\[${number}\\]** ${plain(title)}`,
    ...quotes.map((quote) => `> ${plain(quote)}`),
  ]);
  const head = heading === undefined ? [] : [`# ${plain(heading)}`];
  const notes = notesOf(digest).map((note) => `Note: ${plain(note)}`);
  const below = sources.length > 0 ? ['## Sources', ...sources] : [];
  return `${[...head, ...text, ...below, ...notes].join('\n\n')}\n`;
}

function marked(sentence: Sentence, sources: Digest['sources']): string {
  const markers = sourceNumbers(sentence, sources).map((number) => `\\[${number}\\]`);
  return [plain(sentence.text), ...(markers.length > 0 ? [markers.join('')] : [])].join(' ');
}
