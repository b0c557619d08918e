import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import type { Digest, Sentence } from '../../src/client/index.ts';
import { DIGEST } from '../../src/contract/index.ts';
import { documentsOf, type KnownDocument } from '../../src/page/reading/digest-documents.ts';
import { toHtml } from '../../src/page/reading/to-html.ts';
import { toText } from '../../src/page/reading/to-text.ts';

const REQUEST = {
  digest: DIGEST.id,
  createdAt: '2026-01-01T00:00:00.000Z',
  intent: null,
  collection: null,
  documents: [
    {
      id: 'council',
      title: 'Council report',
      url: 'https://example.org/?a=1&b="2"',
      publishedAt: '2025-03-04T10:00:00Z',
      weight: null,
      characters: 1,
    },
  ],
  selection: null,
  summary: null,
  engine: null,
  experiment: null,
};
const documentOf = documentsOf({ digest: DIGEST, request: REQUEST });

/** The tags and the text of a page. */
function parsed(html: string): { readonly tags: readonly string[]; readonly text: string; readonly links: string[] } {
  const [tags, links] = [[] as string[], [] as string[]];
  let text = '';
  const parser = new Parser({
    onopentag(name, { href }) {
      tags.push(name);
      if (href !== undefined) links.push(href);
    },
    ontext: (piece) => {
      text += piece;
    },
  });
  parser.end(html);
  return { tags, text, links };
}

test('the copied text has the question, the answer with its numbers, and what they stand for', () => {
  expect(toText('What did\nthe charge change?', DIGEST, documentOf)).toBe(
    `What did the charge change?\n\n${DIGEST.summary.text}\n\nSources\n[1] press\n[2] Study of the transport institute\n` +
      '[3] Council report, 2025-03-04, https://example.org/?a=1&b=%222%22\n',
  );
  const nothing = { summary: { text: 'None answers.', sentences: [] }, sources: [] };
  expect(toText('Why?', nothing, documentOf)).toBe('Why?\n\nNone answers.\n');
});

describe('the exported page', () => {
  test('leads from every citation to a note with its quote, and has no script', () => {
    const { tags, text, links } = parsed(toHtml('What did the charge change?', DIGEST, documentOf));
    expect(new Set(tags)).toEqual(
      new Set(['html', 'head', 'meta', 'title', 'style', 'body', 'h1', 'p', 'sup', 'a', 'h2', 'ol', 'li', 'q']),
    );
    expect(links.filter((link) => link.startsWith('#'))).toEqual(['#note-1', '#note-2', '#note-3']);
    expect(links).toContain('https://example.org/?a=1&b=%222%22');
    for (const { text: said, citations } of DIGEST.summary.sentences) {
      expect(text).toContain(said);
      for (const { quote } of citations) expect(text.split(quote.text).length).toBeGreaterThan(1);
    }
  });

  test('has lists with what they stand under', () => {
    const [first] = DIGEST.summary.sentences;
    const told = (said: string, item: number): Sentence => ({
      ...first,
      text: said,
      paragraph: 0,
      item,
      label: 'Open',
    });
    const digest = { ...DIGEST, summary: { text: '', sentences: [told('One.', 0), told('Two.', 1)] } };
    const html = toHtml('Q', digest, documentOf);
    expect(html).toContain('<p>Open:</p>\n<ul>\n<li>One.');
    expect(html).toMatch(/<li>Two\..*<\/li>/);
  });

  test('keeps whatever documents say as text', () => {
    fc.assert(
      fc.property(
        fc.tuple(
          fc.string({ unit: 'binary-ascii' }),
          fc.string({ unit: 'binary-ascii' }),
          fc.constantFrom('<script>', '"><b x=', '&lt;'),
        ),
        ([said, name, markup]) => {
          const evil = `${said}${markup}`;
          const [first] = DIGEST.summary.sentences;
          const [citation] = first.citations;
          const quote = { ...citation.quote, text: evil };
          const digest: Pick<Digest, 'summary' | 'sources' | 'keyPoints'> = {
            summary: { text: '', sentences: [{ ...first, text: evil, citations: [{ ...citation, quote }] }] },
            sources: DIGEST.sources,
            keyPoints: [],
          };
          const known: KnownDocument = {
            id: 'a',
            name: `${name}${markup}`,
            link: null,
            publishedAt: markup,
            number: 1,
          };
          const { tags, text } = parsed(toHtml(evil, digest, () => known));
          expect(
            tags.filter((tag) => !/^(?:html|head|meta|title|style|body|h1|h2|p|sup|a|ol|li|q)$/.test(tag)),
          ).toEqual([]);
          expect(text.split(evil).length).toBeGreaterThan(3);
        },
      ),
    );
  });
});
