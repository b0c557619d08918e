import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeSummary } from '../../../src/digest/write.ts';
import { type ComposeInput, countWords, type Writer } from '../../../src/summary/index.ts';
import { inputOf } from '../../summary/points.ts';

const NOBODY: Writer = { drafts: () => [], again: null };
const silent = (input: ComposeInput) =>
  writeSummary(input, {
    writer: { name: 'llm', writer: NOBODY },
    verifier: { mode: 'rules' },
    keepsDraft: false,
    onSentence: undefined,
  });

/** Texts of so many words, no two alike. */
function inputWith(lengths: readonly number[], rest: Partial<ComposeInput>): ComposeInput {
  const text = (words: number, index: number) =>
    Array.from({ length: words }, (_, word) => `Word${index}x${word}`).join(' ');
  return inputOf(
    lengths.map((words, index) => ({ text: `${text(words, index)}.`, document: `d${index}` })),
    rest,
  );
}

const wordsOf = (texts: readonly { readonly text: string }[]) =>
  texts.reduce((sum, { text }) => sum + countWords(text), 0);

describe('where a writer writes nothing', () => {
  test('a best point that alone passes the bound gives way to shorter ones', async () => {
    const { summary, report, warnings } = await silent(inputWith([40, 8, 9], { maxWords: 20 }));
    expect(summary.sentences.map(({ keyPoints }) => keyPoints[0])).toEqual(['kp2', 'kp3']);
    expect(report?.leftOut).toEqual([{ keyPoint: 'kp1', reason: 'words' }]);
    expect(warnings).toEqual([expect.stringMatching(/wrote nothing/)]);
  });

  test('the bound on words holds, or the answer says why it cannot', async () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
    const formats = fc.constantFrom('report', 'bullets', 'brief');
    await fc.assert(
      fc.asyncProperty(lengths, fc.integer({ min: 1, max: 60 }), formats, async (each, maxWords, format) => {
        const input = inputWith(each, { maxWords, format });
        const { summary, report, warnings } = await silent(input);
        const words = wordsOf(summary.sentences);
        const own = input.points.map((point) => wordsOf([point]));
        expect(words > maxWords).toBe(Math.min(...own) > maxWords);
        if (words > maxWords) expect(words).toBe(Math.min(...own));
        expect(warnings.filter((each) => each.includes('the limit was'))).toEqual(
          words > maxWords ? [expect.stringContaining(`${words} words; the limit was ${maxWords}`)] : [],
        );
        const told = summary.sentences.flatMap(({ keyPoints }) => keyPoints);
        const leftOut = report?.leftOut.map(({ keyPoint }) => keyPoint) ?? [];
        expect([...told, ...leftOut].sort()).toEqual(input.points.map(({ id }) => id).sort());
      }),
      { numRuns: 100, seed: 5 },
    );
  });
});
