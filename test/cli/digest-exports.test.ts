import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestMarkdown, printDigest, quotedSources } from '../../src/cli/digest-formats.node.ts';
import { digestPage } from '../../src/cli/digest-page.ts';
import { layoutOf, sourceNumbers } from '../../src/client/index.ts';
import { type Digest, FORMATS, type SummarySentence } from '../../src/contract/index.ts';
import { laidOut, renderText } from '../../src/summary/layout.ts';

const SOURCES = [
  { number: 1, document: 'a', title: 'First' },
  { number: 2, document: 'b' },
];

/** What is written out of a digest with these paragraphs; sentences of one letter in `documents` cite it. */
function digestWith(paragraphs: readonly (readonly SummarySentence[])[], format: (typeof FORMATS)[number]): Digest {
  return digestOf(laidOut(paragraphs, format));
}

function digestOf(sentences: readonly SummarySentence[]): Digest {
  const summary = { text: renderText(sentences, SOURCES), sentences };
  return { summary, sources: SOURCES, warnings: [], documents: [] } as unknown as Digest; // as much as is written out
}

function sentence(text: string, documents: string): SummarySentence {
  // Texts of one length stand apart in their documents.
  const start = text.charCodeAt(1) * 100;
  const citations = [...documents].map((document) => ({ document, quote: { text, start, end: start + text.length } }));
  return { text, framing: documents === '', keyPoints: [], citations, support: 1 };
}

const documents = fc.constantFrom('', 'a', 'b', 'ab', 'ba');
const hostile = fc
  .array(fc.constantFrom(...'word~[1]~<b>~</p>~&lt;~- ~# ~](x)~`~*~"~\'~|~1. ~\\~<script>'.split('~')), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => `W${parts.join(' ')}.`);
const paragraphs = fc.array(fc.array(fc.tuple(hostile, documents), { minLength: 1, maxLength: 4 }), { maxLength: 4 });
const made = fc.tuple(paragraphs, fc.constantFrom(...FORMATS)).map(([each, format]) =>
  digestWith(
    each.map((one) => one.map(([text, cited]) => sentence(text, cited))),
    format,
  ),
);

test('every sentence is laid out once, in order, with the numbers of what it cites', () => {
  fc.assert(
    fc.property(made, (digest) => {
      const laid = layoutOf(digest.summary).flatMap((part) =>
        part.kind === 'list' ? part.items.flat() : part.sentences,
      );
      expect(laid).toEqual(digest.summary.sentences);
      for (const sentence of laid) {
        const cited = sentence.citations.map((each) => (each.document === 'a' ? 1 : 2));
        expect(sourceNumbers(sentence, SOURCES)).toEqual(cited.sort());
      }
    }),
  );
});

test('whatever documents say, the page holds no element but its own', () => {
  fc.assert(
    fc.property(made, hostile, (digest, heading) => {
      const page = digestPage(heading, digest);
      const main = page.slice(page.indexOf('<main'));
      const tags = new Set([...main.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([, name]) => name));
      for (const tag of ['script', 'b', 'img']) expect(tags.has(tag)).toBe(false);
      const links = [...main.matchAll(/href="([^"]*)"/g)].map(([, to]) => to);
      for (const to of links) expect(main).toContain(`id="${to.slice(1)}"`);
      expect(links).toHaveLength(digest.summary.sentences.reduce((sum, { citations }) => sum + citations.length, 0));
    }),
  );
});

test('whatever documents say, Markdown reads as the same words', () => {
  fc.assert(
    fc.property(made, (digest) => {
      const markdown = digestMarkdown(undefined, digest);
      // Taken back, what is escaped is what was written, and what is not escaped is the layout.
      const layout = markdown.replace(/\\[^\w\s]/g, '');
      expect(
        layout.replaceAll('## Sources', '').replace(/^> /gm, '').replace(/^- /gm, '').replaceAll('**', ''),
      ).not.toMatch(/[*#<>`|[\]_]/);
      const words = markdown.replace(/\\([^\w\s])/g, '$1');
      for (const { text } of digest.summary.sentences) expect(words).toContain(text.replace(/\s+/g, ' ').trim());
    }),
  );
});

test('items are a list, paragraphs stand apart, sources follow with their quotes', () => {
  const digest = digestWith([[sentence('One.', 'a'), sentence('Two.', 'ba')], [sentence('Three.', '')]], 'bullets');
  expect(digestMarkdown('What?', digest)).toBe(
    [
      '# What?',
      '- One. \\[1\\]\n- Two. \\[1\\]\\[2\\]',
      'Three.',
      '## Sources',
      '**\\[1\\]** First',
      '> One.',
      '> Two.',
      '**\\[2\\]** b',
      '> Two.\n',
    ].join('\n\n'),
  );
  expect(quotedSources(digest).map(({ quotes }) => quotes.length)).toEqual([2, 1]);
  expect(digestPage(undefined, digest)).toContain(
    '<ul>\n<li>One.<sup><a href="#source-1">[1]</a></sup> </li>\n<li>Two.<sup><a href="#source-1">[1]</a></sup><sup><a href="#source-2">[2]</a></sup> </li>\n</ul>',
  );
});

test('a list in a report stands under its label, with several sentences to an item', () => {
  const digest = digestOf([
    { ...sentence('One.', 'a'), paragraph: 0 },
    { ...sentence('Two.', 'a'), paragraph: 1, item: 0, label: 'Still *open*' },
    { ...sentence('Three.', 'b'), paragraph: 1, item: 0, label: 'Still *open*' },
    { ...sentence('Four.', 'a'), paragraph: 1, item: 1, label: 'Still *open*' },
  ]);
  expect(digestMarkdown(undefined, digest)).toContain(
    'One. \\[1\\]\n\nStill \\*open\\*:\n\n- Two. \\[1\\] Three. \\[2\\]\n- Four. \\[1\\]\n\n## Sources',
  );
  expect(digestPage(undefined, digest).replace(/<sup>.*?<\/sup>/g, '')).toContain(
    '<p>One. </p>\n<p>Still *open*:</p>\n<ul>\n<li>Two. Three. </li>\n<li>Four. </li>\n</ul>',
  );
  expect(printDigest(digest, false)).toContain('One. [1]\n\nStill *open*:\n- Two. [1] Three. [2]\n- Four. [1]');
});
