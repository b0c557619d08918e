import type JSZip from 'jszip';
import { markupText } from './markup-text.ts';
import { escapeMarkup, openArchive, orInvalid, readPart, relationsOf } from './office-archive.ts';
import { tableMarkup } from './table-markup.ts';

const PRESENTATION = 'ppt/presentation.xml';
/** Placeholders that say the same on every slide. */
const REPEATED: ReadonlySet<string> = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);
const TITLES: ReadonlySet<string> = new Set(['title', 'ctrTitle']);

/**
 * The text of a presentation (.pptx): each slide under its number and title, with its lists, tables and notes, marked as in Markdown.
 * @throws UnreadableFileError
 */
export async function readPptx(bytes: Uint8Array): Promise<string> {
  return orInvalid('PowerPoint presentation (.pptx)', async () => {
    const zip = await openArchive(bytes);
    const related = await relationsOf(zip, PRESENTATION);
    const slides: string[] = [];
    await readPart(zip, PRESENTATION, {
      open(tag, _, reference) {
        const path = related.get(reference)?.path;
        if (tag === 'sldId' && path !== undefined) slides.push(path);
      },
    });
    const parts: string[] = [];
    for (const [index, path] of slides.entries()) {
      const { title, body } = await readSlide(zip, path);
      const notes = [...(await relationsOf(zip, path)).values()].find(({ type }) => type === 'notesSlide');
      const noted = notes === undefined ? '' : (await readSlide(zip, notes.path)).body;
      if (`${title}${body}${noted}` === '') continue;
      parts.push(`<h2>Slide ${index + 1}${title && `: ${escapeMarkup(title)}`}</h2>${body}`);
      if (noted !== '') parts.push(`<h3>Notes</h3>${noted}`);
    }
    return markupText(parts.join(''));
  });
}

/** The title of a slide, and the markup of the rest. */
async function readSlide(zip: JSZip, path: string): Promise<{ title: string; body: string }> {
  const parts: string[] = [];
  let [title, placeholder, text] = ['', '', ''];
  let isText = false;
  let paragraphs: string[] = [];
  let rows: string[][] | null = null;
  await readPart(zip, path, {
    open(tag, { type = 'body' }) {
      if (tag === 'sp') [placeholder, paragraphs] = ['', []];
      else if (tag === 'ph') placeholder = type;
      else if (tag === 'tbl') rows = [];
      else if (tag === 'tr') rows?.push([]);
      else if (tag === 'tc') paragraphs = [];
      else if (tag === 'br') text += ' ';
      isText = tag === 't';
    },
    text(given) {
      if (isText) text += given;
    },
    close(tag) {
      isText = false;
      if (tag === 'p') {
        const plain = text.replace(/\s+/g, ' ').trim();
        if (plain !== '') paragraphs.push(plain);
        text = '';
      } else if (tag === 'tc') rows?.at(-1)?.push(paragraphs.join(' '));
      else if (tag === 'tbl' && rows !== null) {
        const width = Math.max(0, ...rows.map(({ length }) => length));
        const texts = rows.map((row) => [...row, ...Array<string>(width - row.length).fill('')]);
        parts.push(tableMarkup(texts.map((each) => ({ texts: each, isMarked: false }))));
        rows = null;
      } else if (tag === 'sp') {
        if (TITLES.has(placeholder)) title ||= paragraphs.join(' ');
        else if (!REPEATED.has(placeholder)) parts.push(shapeMarkup(paragraphs, placeholder !== ''));
        paragraphs = [];
      }
    },
  });
  return { title, body: parts.join('') };
}

/** Placeholders hold what a slide lists. */
function shapeMarkup(paragraphs: readonly string[], isPlaceholder: boolean): string {
  const name = isPlaceholder && paragraphs.length > 1 ? 'li' : 'p';
  const inner = paragraphs.map((each) => `<${name}>${escapeMarkup(each)}</${name}>`).join('');
  return name === 'li' ? `<ul>${inner}</ul>` : inner;
}
