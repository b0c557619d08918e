import { expect, test } from 'vitest';
import { inputOf } from '../points.ts';
import { rewriting } from './rewriting.ts';

const POINTS = [
  { text: 'Traffic in the centre fell by 18 percent.', document: 'a' },
  { text: 'Deliveries arrive before seven in the morning.', document: 'b' },
  { text: 'Nitrogen dioxide dropped near the station.', document: 'c' },
  { text: 'Two bakeries in Mill Street closed.', document: 'd' },
];
const input = inputOf(POINTS);

/** Numbers in the order in which the model is shown them, by the point's document. */
async function numbers(): Promise<Map<string, number>> {
  const { stage } = await rewriting(input, () => '');
  const shown = stage.calls[0].messages.map(({ content }) => content).join('\n');
  return new Map(
    POINTS.map(({ text, document }) => [document, Number(new RegExp(`- ${text} \\[(\\d)\\]`).exec(shown)?.[1])]),
  );
}

test('a sentence does not count for points whose numbers it only carries (P3)', async () => {
  const { summary, report } = await rewriting(input, () => 'Traffic in the centre fell by 18 percent. [1][2][3][4]');
  const [first, ...others] = summary.sentences.filter(({ framing }) => !framing);
  expect(first.text).toBe('Traffic in the centre fell by 18 percent.');
  expect(first.citations.map(({ document }) => document)).toEqual(['a']);
  expect(others.map(({ text }) => text).sort()).toEqual([POINTS[1].text, POINTS[3].text, POINTS[2].text].sort());
  expect(report).toMatchObject({ drafted: 1, kept: 1, added: 3 });
});

test('a sentence that puts two points together cites both, and no third', async () => {
  const of = await numbers();
  const marks = ['a', 'd', 'c'].map((id) => `[${of.get(id)}]`).join('');
  const text = 'Traffic in the centre fell by 18 percent, and two bakeries in Mill Street closed.';
  const { summary } = await rewriting(input, () => `${text} ${marks}`);
  const kept = summary.sentences.find((sentence) => sentence.text === text);
  expect(kept?.citations.map(({ document }) => document)).toEqual(['a', 'd']);
});
