import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import {
  citationCounts,
  layoutOf,
  markersOf,
  plain,
  quotesFrom,
  type Sentence,
  toHtml,
  toMarkdown,
  toText,
  visible,
} from '../../src/client/index.ts';
import { DIGEST } from '../../src/contract/index.ts';
import { exportedOf } from '../../src/page/reading/actions.tsx';
import { webAddress } from '../../src/page/reading/reading.ts';
import type { StoredDigest } from '../../src/page/reading/stored-digest.ts';

const sentence = (text: string, citations: Sentence['citations'] = [], more: Partial<Sentence> = {}): Sentence => ({
  text,
  framing: citations.length === 0,
  keyPoints: [],
  citations,
  support: 1,
  ...more,
});
const cite = (document: string, start: number, text = `Quote ${start}.`) => ({
  document,
  quote: { text, start, end: start + text.length },
});

describe('layout', () => {
  const at = (text: string, paragraph: number, item?: number, label?: string) =>
    sentence(text, [cite('a', 0)], { paragraph, item, label });

  test('is that of the fields, whatever the text is', () => {
    const [a, b, c] = [at('A', 0), at('B', 0), at('C', 0, 0)];
    const [d, e, f] = [at('D', 0, 0), at('E', 0, 1), at('F', 1, 0, 'Still open')];
    for (const text of ['', 'A\n\nB\n\n- C']) {
      expect(layoutOf({ text, sentences: [a, b, c, d, e, f] })).toEqual([
        { kind: 'paragraph', sentences: [a, b] },
        { kind: 'list', label: null, items: [[c, d], [e]] },
        { kind: 'list', label: 'Still open', items: [[f]] },
      ]);
    }
    expect(layoutOf({ text: '', sentences: [] })).toEqual([]);
  });

  test('markers stand by the numbers of their sources, lettered where there are several quotes of one', () => {
    const sources = [
      { number: 1, document: 'a' },
      { number: 2, document: 'b' },
    ];
    const cited = sentence('It is.', [cite('b', 4), cite('a', 9), cite('b', 0), cite('b', 4)]);
    expect(
      markersOf(cited, sources).map(({ name, citation }) => [name, citation.document, citation.quote.start]),
    ).toEqual([
      ['1', 'a', 9],
      ['2a', 'b', 4],
      ['2b', 'b', 0],
    ]);
    const quotes = Array.from({ length: 28 }, (_, index) => cite('a', index));
    const many = markersOf(sentence('It is.', quotes), sources);
    expect(many.slice(-3).map(({ name }) => name)).toEqual(['1z', '1aa', '1ab']);
  });

  test('quotes of a document are told once, in its order, and sentences that cite it are counted', () => {
    const summary = {
      text: '',
      sentences: [sentence('A', [cite('a', 9), cite('a', 2)]), sentence('B', [cite('a', 9), cite('b', 0)])],
    };
    expect(quotesFrom({ summary }, 'a').map(({ start }) => start)).toEqual([2, 9]);
    expect([...citationCounts({ summary })]).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
  });
});

const ADDRESS = 'https://example.org/<a> b?x="2"';
const REQUEST: StoredDigest['request'] = {
  digest: DIGEST.id,
  createdAt: '2026-01-01T00:00:00.000Z',
  intent: 'What did\nthe charge change?',
  collection: null,
  documents: [{ id: 'council', title: null, url: ADDRESS, publishedAt: '2025-03-04', weight: null, characters: 1 }],
  selection: null,
  summary: null,
  engine: null,
  experiment: null,
};
const STORED: StoredDigest = { digest: DIGEST, request: REQUEST };

/** A digest with a list of two items. */
function listed(text = 'Two.', quote = 'Quote 0.'): StoredDigest {
  const item = (said: string, place: number) =>
    sentence(said, [cite('council', 0, quote)], { paragraph: 0, item: place, label: 'Still # open' });
  const summary = { ...DIGEST.summary, sentences: [item('One.', 0), item(text, 1)] };
  return { digest: { ...DIGEST, summary }, request: REQUEST };
}

/** The tags, the text and the links of a page. */
function parsed(html: string) {
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

describe('exports', () => {
  test('the copied text has the question, the answer with its numbers, and their sources', () => {
    expect(toText(exportedOf(STORED))).toBe(
      `What did the charge change?\n\n${DIGEST.summary.text}\n\nSources\n[1] press\n[2] Study of the transport institute\n` +
        '[3] Council report, 2025-03-04, https://example.org/%3Ca%3E%20b?x=%222%22\n',
    );
  });

  test('Markdown has a footnote with title and quote for every citation', () => {
    expect(toMarkdown(exportedOf(STORED))).toBe(
      [
        '# What did the charge change?',
        'Shopkeepers feared empty streets before the congestion charge.[^1] The institute finds that traffic in the centre fell by 18 percent after the charge was introduced.[^2] The charge raised 40 million euros, which paid for new trams.[^3]',
        '[^1]: press: “Shopkeepers feared empty streets before the congestion charge.”',
        '[^2]: Study of the transport institute: “The institute finds that traffic in the centre fell by 18 percent after the charge was introduced.”',
        '[^3]: Council report (2025-03-04), <https://example.org/%3Ca%3E%20b?x=%222%22>: “The charge raised 40 million euros, which paid for new trams.”\n',
      ].join('\n\n'),
    );
    expect(toMarkdown(exportedOf(listed()))).toContain('Still \\# open:\n\n- One.[^1]\n- Two.[^1]\n\n[^1]: ');
  });

  test('no text of a document is read as Markdown, and none leaves its line', () => {
    expect(plain('a\r\n\r\n[^1]: <b>x</b>\u2028# `c` *d* _e_ ![f](g) \\ &lt; ~~h~~ $i$ |\u0085\u0000j')).toBe(
      'a \\[\\^1\\]: \\<b\\>x\\</b\\> \\# \\`c\\` \\*d\\* \\_e\\_ !\\[f\\](g) \\\\ \\&lt; \\~\\~h\\~\\~ \\$i\\$ \\| j',
    );
    expect(['- a', '+ a', '12. a', '3) a', '=== a', ': a', '# a'].map(plain)).toEqual([
      ...['\\- a', '\\+ a', '12\\. a', '3\\) a', '\\=== a', '\\: a', '\\# a'],
    ]);
    expect(plain('see https://x.org, www.x.org or a@x.org')).toBe('see https\\://x.org, www\\.x.org or a\\@x.org');
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        const escaped = plain(text);
        expect(escaped).not.toMatch(/[\n\r\p{Cc}]/u);
        // Every character that could begin markup has a backslash of its own.
        expect(escaped.replace(/\\[\p{P}\p{S}]/gu, '')).not.toMatch(/[\\`*_[\]<>#~|^$&]/);
      }),
      { numRuns: 100 },
    );
  });

  test('HTML links every citation to a note with its quote, and has no script', () => {
    const { tags, text, links } = parsed(toHtml(exportedOf(STORED)));
    expect(new Set(tags)).toEqual(
      new Set(['html', 'head', 'meta', 'title', 'style', 'body', 'h1', 'p', 'sup', 'a', 'h2', 'ol', 'li', 'q']),
    );
    expect(links.filter((link) => link.startsWith('#'))).toEqual(['#note-1', '#note-2', '#note-3']);
    expect(links).toContain('https://example.org/%3Ca%3E%20b?x=%222%22');
    for (const { text: said, citations } of DIGEST.summary.sentences) {
      expect(text).toContain(said);
      for (const { quote } of citations) expect(text.split(quote.text).length).toBeGreaterThan(1);
    }
    expect(toHtml(exportedOf(listed()))).toContain('<p>Still # open:</p>\n<ul>\n<li>One.');
  });

  test('no text of a document is read as HTML', () => {
    const part = fc.string({ unit: 'binary-ascii' });
    fc.assert(
      fc.property(part, part, fc.constantFrom('<script>', '"><b x=', '&lt;'), (said, name, markup) => {
        const evil = `${said}${markup}`;
        const { digest } = listed(evil, evil);
        const documents = [{ ...REQUEST.documents[0], title: `${name}${markup}`, publishedAt: markup }];
        const { tags, text } = parsed(toHtml(exportedOf({ digest, request: { ...REQUEST, intent: evil, documents } })));
        expect(
          tags.filter((tag) => !/^(?:html|head|meta|title|style|body|h[12]|p|sup|a|[ou]l|li|q)$/.test(tag)),
        ).toEqual([]);
        expect(text.split(visible(evil)).length).toBeGreaterThan(3);
      }),
      { numRuns: 100 },
    );
  });
});

test('only addresses of the web become links', () => {
  expect(webAddress('https://example.org/a?b#c')).toBe('https://example.org/a?b#c');
  const code = ['javascript:alert(1)', ' java\nscript:alert(1)', 'data:text/html,x'];
  const others = [...code, 'ftp://a/b', '//a.org', 'a.org', '', null, undefined];
  expect(others.map(webAddress)).toEqual(others.map(() => null));
});
