import { DomUtils } from 'htmlparser2';
import type JSZip from 'jszip';
import { markupText } from './markup-text.ts';
import { type Element, find, readArchive, relationsOf, takePart } from './office-archive.ts';
import { escapeMarkup, tableMarkup } from './table-markup.ts';

const PRESENTATION = 'ppt/presentation.xml';
/** Placeholders that say the same on every slide. */
const REPEATED = /^(?:sldNum|dt|ftr|hdr|sldImg)$/;

/**
 * The text of a presentation (.pptx): each slide under its number and title, with its lists, tables and notes, marked as in Markdown.
 * @throws UnreadableFileError
 */
export async function readPptx(bytes: Uint8Array): Promise<string> {
  return readArchive(bytes, 'PowerPoint presentation (.pptx)', async (zip) => {
    const related = await relationsOf(zip, PRESENTATION);
    const parts: string[] = [];
    for (const [index, { attribs }] of find(await takePart(zip, PRESENTATION), 'sldId').entries()) {
      const path = related.get(attribs['r:id'])?.path ?? '';
      const { title, body } = await readSlide(zip, path);
      const noted = [...(await relationsOf(zip, path)).values()].find(({ type }) => type === 'notesSlide');
      const notes = (await readSlide(zip, noted?.path)).body;
      if (`${title}${body}${notes}` === '') continue;
      parts.push(`<h2>Slide ${index + 1}${title && `: ${escapeMarkup(title)}`}</h2>${body}`);
      if (notes !== '') parts.push(`<h3>Notes</h3>${notes}`);
    }
    return markupText(parts.join(''));
  });
}

/** The title of a slide, and the markup of the rest. */
async function readSlide(zip: JSZip, path: string | undefined) {
  let title = '';
  const parts = find(await takePart(zip, path), 'sp', 'tbl').map((shape): string => {
    if (/tbl$/.test(shape.name)) {
      const rows = find(shape, 'tr').map((row) => find(row, 'tc').map((cell) => paragraphsOf(cell).join(' ')));
      return tableMarkup(rows);
    }
    const [placeholder] = find(shape, 'ph');
    const { type = 'body' } = placeholder?.attribs ?? {};
    const paragraphs = paragraphsOf(shape);
    if (title === '' && /^(?:title|ctrTitle)$/.test(type)) title = paragraphs.join(' ');
    else if (!REPEATED.test(type)) {
      // Placeholders hold what a slide lists.
      const name = placeholder !== undefined && paragraphs.length > 1 ? 'li' : 'p';
      return paragraphs.map((each) => `<${name}>${escapeMarkup(each)}</${name}>`).join('');
    }
    return '';
  });
  return { title, body: parts.join('') };
}

function paragraphsOf(shape: Element): string[] {
  const textOf = (paragraph: Element) =>
    find(paragraph, 't', 'br').map((run) => (/br$/.test(run.name) ? ' ' : DomUtils.textContent(run)));
  return find(shape, 'p').flatMap((paragraph) => textOf(paragraph).join('').replace(/\s+/g, ' ').trim() || []);
}
