import fc from 'fast-check';
import JSZip from 'jszip';
import { describe, expect, test } from 'vitest';
import type { Exported } from '../../src/client/index.ts';
import { visible } from '../../src/client/index.ts';
import { DIGEST } from '../../src/contract/index.ts';
import { toWord } from '../../src/page/reading/word.ts';
import { readDocx } from '../../src/text/files/read-docx.ts';

const LINK = 'https://example.org/a?b=1&c=%222%22';

function exportedOf(part: Partial<Exported> = {}): Exported {
  const documentOf = (id: string) => ({ name: `The ${id}`, link: LINK, publishedAt: '2025-03-04T10:00:00Z' });
  return { heading: 'What did the charge change?', digest: DIGEST, documentOf, ...part };
}

const bytesOf = async (exported: Exported) => new Uint8Array(await (await toWord(exported)).arrayBuffer());

async function partOf(bytes: Uint8Array, name: string): Promise<string> {
  const part = (await JSZip.loadAsync(bytes)).file(name);
  if (part === null) throw new Error(`no ${name}`);
  return part.async('string');
}

/** The texts of an XML part, by the one element that holds text; throws where its tags are not balanced. */
function textOf(xml: string): string {
  const open: string[] = [];
  for (const [, end, name, empty] of xml.matchAll(/<(\/?)([\w:]+)(?: [\w:]+="[^"<]*")*(\/?)>/g)) {
    if (end === '') empty || open.push(name);
    else if (open.pop() !== name) throw new Error(`${name} is not open`);
  }
  if (open.length > 0) throw new Error(`${open} are not closed`);
  expect(xml.replace(/<\?xml[^>]*\?>|<\/?[\w:]+(?: [\w:]+="[^"<]*")*\/?>/g, '')).not.toMatch(/[<>]/);
  expect(xml).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/);
  const entities = new Map([
    ...(['&amp;,&', '&lt;,<', '&gt;,>', '&quot;,"', "&#39;,'"].map((pair) => pair.split(',')) as [string, string][]),
  ]);
  return [...xml.matchAll(/<w:t [^>]*>([^<]*)</g)]
    .map(([, text]) => text.replace(/&[^;]+;/g, (entity) => entities.get(entity) ?? ''))
    .join('\n');
}

describe('a Word document', () => {
  test('reads as the answer with a footnote for every quote, and its sources with dates and addresses', async () => {
    const bytes = await bytesOf(exportedOf());
    const text = await readDocx(bytes);
    expect(text).toMatch(/^# What did the charge change\?/);
    for (const { text: said, citations } of DIGEST.summary.sentences) {
      expect(text).toContain(said);
      for (const { document, quote } of citations) expect(text).toContain(`The ${document}: “${quote.text}”`);
    }
    for (const { number, document } of DIGEST.sources)
      expect(text).toContain(`${number}. The ${document}, 2025-03-04, `);
    expect(await partOf(bytes, 'word/_rels/document.xml.rels')).toContain(
      'Target="https://example.org/a?b=1&amp;c=%222%22"',
    );
  });

  test('has its lists as lists, under their labels', async () => {
    const [first] = DIGEST.summary.sentences;
    const sentences = ['One.', 'Two.'].map((text, item) => ({
      ...first,
      text,
      paragraph: 0,
      item,
      label: 'Still open',
    }));
    const text = await readDocx(await bytesOf(exportedOf({ digest: { ...DIGEST, summary: { text: '', sentences } } })));
    expect(text).toMatch(/Still open:\s+- One\..*\s+- Two\./);
  });

  test('takes every text as text, whatever markup or broken characters it has', async () => {
    const evil = fc
      .tuple(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('<w:p>', ']]>', '&lt;', '"/>', '\u0000', '\ufffe', '\ud800'),
      )
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(evil, evil, async (said, name) => {
        const [first] = DIGEST.summary.sentences;
        const citations = first.citations.map(({ document, quote }) => ({ document, quote: { ...quote, text: said } }));
        const summary = { text: '', sentences: [{ ...first, text: said, citations }] };
        const documentOf = () => ({ name, link: null, publishedAt: null });
        const bytes = await bytesOf(exportedOf({ heading: said, digest: { ...DIGEST, summary }, documentOf }));
        const [body, notes] = await Promise.all(
          ['document', 'footnotes'].map((part) => partOf(bytes, `word/${part}.xml`)),
        );
        const kept = (text: string) => visible(text).replace(/[\p{Surrogate}\ufffe\uffff]/gu, '\ufffd');
        expect(textOf(body).startsWith(`${kept(said)}\n${kept(said)}`)).toBe(true);
        expect(textOf(body)).toContain(kept(name));
        expect(textOf(notes)).toContain(` ${kept(name)}: “${kept(said)}”`);
        await readDocx(bytes);
      }),
      { numRuns: 30 },
    );
  });
});
