import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FORMATS, type SummarySentence } from '../../src/contract/index.ts';
import { parseDraft } from '../../src/summary/index.ts';
import { finishSummary, layoutOf } from '../../src/summary/layout.ts';

function sentence(text: string, isFraming = false): SummarySentence {
  const citations = isFraming ? [] : [{ document: 'a', quote: { text, start: 0, end: text.length } }];
  return { text, framing: isFraming, keyPoints: [], citations, support: null };
}

const QUOTE = { text: 'It rains.', start: 0, end: 9 };

const placeOf = ({ text, paragraph, item, label }: SummarySentence) => ({ text, paragraph, item, label });

/** Sentences with their places as a reader finds them in a text: paragraphs by blank lines, items by "- ". */
function placesIn(text: string): ReturnType<typeof placeOf>[] {
  return text.split('\n\n').flatMap((block, paragraph) => {
    const lines = block.split('\n');
    const label = lines.length > 1 ? /^([^.]+):$/.exec(lines[0])?.[1] : undefined;
    if (label !== undefined) lines.shift();
    let items = 0;
    return lines.flatMap((line) => {
      const item = line.startsWith('- ') ? items++ : undefined;
      const found = line.replace(/^- /, '').matchAll(/([^.]+\.)(?: \[1\])?(?: |$)/g);
      return [...found].map(([, each]) => ({ text: each, paragraph, item, label }));
    });
  });
}

const wanted = fc.record({
  isFraming: fc.boolean(),
  nextParagraph: fc.boolean(),
  item: fc.constantFrom(undefined, 'next', 'same'),
  label: fc.constantFrom(undefined, undefined, 'Still open', 'Decided'),
});

describe('layout', () => {
  it('stands in the text as the fields say, whatever is wanted', () => {
    fc.assert(
      fc.property(fc.array(wanted, { minLength: 1 }), fc.constantFrom(...FORMATS), (steps, format) => {
        const layout = layoutOf(format);
        let [paragraph, item] = [0, 0];
        const sentences = steps.map((step, index) => {
          if (step.nextParagraph) paragraph++;
          if (step.item === 'next') item++;
          const listed = step.isFraming || step.item === undefined ? undefined : item;
          const at = { paragraph, item: listed, label: listed === undefined ? undefined : step.label };
          return layout(sentence(`Sentence ${index}.`, step.isFraming), at);
        });
        const { text } = finishSummary(sentences, { documents: [{ id: 'a' }] });
        expect(placesIn(text)).toEqual(sentences.map(placeOf));
      }),
    );
  });

  it('has the date of each source whose document has one', () => {
    const documents = [
      { id: 'b', publishedAt: '2026-03-02' },
      { id: 'a', title: 'Report', publishedAt: '2026-01-31' },
    ];
    const cited = (document: string) => ({ ...sentence('It rains.'), citations: [{ document, quote: QUOTE }] });
    const { sources } = finishSummary(['a', 'c', 'b'].map(cited), { documents });
    expect(sources).toStrictEqual([
      { number: 1, document: 'a', title: 'Report', publishedAt: '2026-01-31' },
      { number: 2, document: 'c' },
      { number: 3, document: 'b', publishedAt: '2026-03-02' },
    ]);
  });

  it('of a draft comes back when its text is read as a draft', () => {
    const draft =
      'Much is open. [1] Some is not. [1]\n\nStill open:\n- The date. [1] It was late. [1]\n- The price. [1]\n\nTrams run. [1]\n- Daily. [1]';
    const layout = layoutOf('report');
    const sentences = parseDraft(draft).map((each) => layout(sentence(each.text), each));
    const { text } = finishSummary(sentences, { documents: [{ id: 'a' }] });
    expect(text).toBe(draft);
    expect(placesIn(text)).toEqual(sentences.map(placeOf));
  });
});
