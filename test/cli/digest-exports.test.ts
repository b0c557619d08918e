import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportedOf, printDigest } from '../../src/cli/digest-formats.node.ts';
import { layoutOf, markersOf, toHtml, toMarkdown, toText } from '../../src/client/index.ts';
import { type Digest, FORMATS, type SummarySentence } from '../../src/contract/index.ts';
import { laidOut, renderText } from '../../src/summary/layout.ts';

const SOURCES = [
  { number: 1, document: 'a', title: 'First' },
  { number: 2, document: 'b' },
];

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
const said = fc.string().map((text) => `W${text}.`);
const paragraphs = fc.array(fc.array(fc.tuple(said, documents), { minLength: 1, maxLength: 4 }), { maxLength: 4 });
const made = fc.tuple(paragraphs, fc.constantFrom(...FORMATS)).map(([each, format]) =>
  digestOf(
    laidOut(
      each.map((one) => one.map(([text, cited]) => sentence(text, cited))),
      format,
    ),
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
        expect(markersOf(sentence, SOURCES).map(({ name }) => Number(name))).toEqual(cited.sort());
      }
    }),
  );
});

test('an export without a question says what it is, and has the warnings', () => {
  const digest = { ...digestOf([{ ...sentence('One.', 'b'), paragraph: 0 }]), warnings: ['a <b> is left out'] };
  expect(toMarkdown(exportedOf(undefined, digest))).toBe(
    '# Digest\n\nOne.[^1]\n\nNote: a \\<b\\> is left out\n\n[^1]: b: “One.”\n',
  );
  expect(toHtml(exportedOf('What?', digest))).toContain('<p class="note">a &lt;b&gt; is left out</p>');
});

test('a list in a report stands under its label, with several sentences to an item', () => {
  const digest = digestOf([
    { ...sentence('One.', 'a'), paragraph: 0 },
    { ...sentence('Two.', 'a'), paragraph: 1, item: 0, label: 'Still *open*' },
    { ...sentence('Three.', 'b'), paragraph: 1, item: 0, label: 'Still *open*' },
    { ...sentence('Four.', 'a'), paragraph: 1, item: 1, label: 'Still *open*' },
  ]);
  expect(printDigest(digest, false)).toContain('One. [1]\n\nStill *open*:\n- Two. [1] Three. [2]\n- Four. [1]');
});

test.each(['html', 'markdown', 'text', 'report'])('nothing that acts and cannot be seen is in %s', (format) => {
  const unseen = 'a\u202eb\u2066c\u0085d\u009b31me\u001b[31mf\u061cg\u200fh\u0007';
  const list = { ...sentence(unseen, 'a'), paragraph: 0, item: 0, label: unseen };
  const sources = [{ number: 1, document: 'a', title: unseen }];
  const digest = { ...digestOf([list]), sources, warnings: [unseen] };
  const exported = exportedOf(unseen, digest);
  const write = { html: toHtml, markdown: toMarkdown, text: toText, report: () => printDigest(digest, false) };
  const text = write[format as keyof typeof write](exported);
  expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
  expect(text).toContain('ab');
});

const POINTS = ['a', 'b'].map((document) => ({ id: `kp_${document}`, document, text: `About ${document}.\u001b[2J` }));

test.each([
  ['no', ['kp_b', 'kp_a'], 'Closest passages, which do not answer it\n    “About b. [2J” (b)\n    “About a. [2J” (a)'],
  ['no', [], ''],
])(
  'what is not answered (%s, near it %j) shows the passages near it, the nearest first',
  (answered, nearest, shown) => {
    const digest = {
      ...digestOf([sentence('No.', '')]),
      sources: [],
      intent: { answered, facets: [], nearest },
      keyPoints: POINTS,
    };
    const printed = printDigest(digest as unknown as Digest, false); // as much as is written out
    expect(printed.trimEnd()).toBe(`No.\n\n${shown}`.trimEnd());
  },
);

test('parts of the question that are not answered are named once', () => {
  const facets = ['the dose', 'the price', 'the maker'].map((text, place) => ({ text, answered: place === 2 }));
  const printed = (answered: string) =>
    printDigest(
      {
        ...digestOf([sentence('Nobody answers “the dose”.', ''), sentence('Ada makes it: “the price”.', 'a')]),
        intent: { answered, facets, nearest: [] },
        keyPoints: POINTS,
      } as unknown as Digest,
      false,
    );
  expect(printed('partly')).toContain('\nNot answered for sure: “the price”.\n');
  expect(printed('yes')).not.toContain('Not answered');
});
