import { asData } from '../../models/index.ts';
import { dateText, type SourceDocument, type Span } from '../../text/index.ts';

/** A text with what its reader is told of it. */
export type TitledText = Pick<SourceDocument, 'text' | 'title' | 'publishedAt'>;

/** A stretch of a document that is read at once. */
export interface ReadingWindow extends Span {
  /** Where what no window before it held begins: what stands before that is context. */
  readonly fresh: number;
}

/** The variables `about`, `before` and `document` of the prompts that read a document; the first two may be empty. */
export function shownDocument(document: TitledText, { start, fresh, end }: ReadingWindow) {
  const context = document.text.slice(start, fresh).trim();
  return {
    about: aboutText(document),
    before:
      context === ''
        ? ''
        : `What comes before, as context. List nothing of it, and quote nothing of it alone:\n${asData('context', context)}\n\nWhat you list the key points of:\n`,
    document: asData('document', document.text.slice(fresh, end).trim()),
  };
}

/** Title and date of a document as a model is shown them; empty where it has neither. */
export function aboutText({ title = '', publishedAt }: TitledText): string {
  const name = title.replace(/\s+/g, ' ').trim();
  const lines = [
    ...(name === '' ? [] : [`Title: ${name}`]),
    ...(publishedAt === undefined ? [] : [`Date: ${dateText(publishedAt)}`]),
  ];
  return lines.length === 0 ? '' : `Title and date of the document:\n${asData('about', lines.join('\n'))}\n\n`;
}
