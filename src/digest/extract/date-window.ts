import type { DigestDocument } from '../../contract/index.ts';
import type { SourceDocument } from '../../text/index.ts';

/** Which documents a request reads, by date of publication; both ends belong to it. ISO 8601. */
export interface DateWindow {
  readonly publishedAfter?: string | undefined;
  readonly publishedBefore?: string | undefined;
}

/** Whether a document may be read; documents without a date may. */
export function isWithin({ publishedAt }: SourceDocument, { publishedAfter, publishedBefore }: DateWindow): boolean {
  if (publishedAt === undefined) return true;
  const published = Date.parse(publishedAt);
  if (publishedAfter !== undefined && published < Date.parse(publishedAfter)) return false;
  return publishedBefore === undefined || published <= endOf(publishedBefore);
}

/** A date without a time ends with its day. */
function endOf(date: string): number {
  const day = 24 * 60 * 60 * 1000;
  return date.includes('T') ? Date.parse(date) : Date.parse(date) + day - 1;
}

interface DatedDocument {
  readonly document: Pick<SourceDocument, 'publishedAt'>;
  readonly excluded: DigestDocument['excluded'];
}

/** Says where the window leaves nothing to read, and how many documents passed only because nobody knows their date. */
export function dateWarnings(documents: readonly DatedDocument[], window: DateWindow): string[] {
  if (window.publishedAfter === undefined && window.publishedBefore === undefined) return [];
  if (documents.every(({ excluded }) => excluded === 'date')) {
    return ['Every document lies outside the date window; none was read.'];
  }
  const undated = documents.filter(({ document }) => document.publishedAt === undefined).length;
  if (undated === 0) return [];
  const subject = undated === 1 ? 'One document has' : `${undated} documents have`;
  return [`${subject} no publication date and ${undated === 1 ? 'was' : 'were'} read regardless of the date window.`];
}
