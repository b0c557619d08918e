import { describe, expect, test } from 'vitest';
import { PARAPHRASE } from '../../../src/selection/kernel/agreement.ts';
import { support } from '../../../src/selection/strategies/support.ts';

describe('support', () => {
  const row = (similarity: number[], agreement: number[], cosines: number[] | null = null) => ({
    similarity: Float32Array.from(similarity),
    agreement: Float32Array.from(agreement),
    cosines: cosines && Float32Array.from(cosines),
  });
  const options = { threshold: 0.25, same: 0.5, unlike: 2 };
  const n = 24;
  const pad = (values: number[], filler = -1) => [...values, ...new Array(n - values.length).fill(filler)];

  test('joins what it agrees with most, from the threshold up', () => {
    const rows = [
      row(pad([1, 0, 0.3, 0.3]), pad([8, 0, 0.25, 0.2])),
      row(pad([0, 1, 0.9, 0.3]), pad([0, 8, 0.2, 0.24])),
    ];
    const { item, similarity, joins } = support([0, 1], rows, n, options);
    expect([...joins.subarray(0, 5)]).toEqual([0, 0, 1, 0, 0]);
    expect([...item.subarray(0, 4)]).toEqual([1, 0, 0, 1]);
    expect(similarity[2]).toBe(Math.fround(0.3));
  });

  test('ties go to the larger S, then to the earlier pick', () => {
    const tie = (a: number, b: number) =>
      support([0, 1], [row(pad([1, 0, a]), pad([8, 0, 0.5])), row(pad([0, 1, b]), pad([0, 8, 0.5]))], n, options)
        .item[2];
    expect([tie(0.5, 0.5), tie(0.5, 0.75), tie(0.75, 0.5), tie(-0.5, -0.5), tie(-0.5, -0.25)]).toEqual([0, 1, 0, 0, 1]);
  });

  test('sentences too far apart do not join, paraphrases do', () => {
    const { joins } = support(
      [0],
      [row(pad([1, 0, 0, 0]), pad([8, 0.5, 0.5, PARAPHRASE]), pad([1, 0.5, 0.49, 0.1]))],
      n,
      options,
    );
    expect([...joins.subarray(0, 4)]).toEqual([0, 1, 0, 1]);
  });

  test('null: nothing joins; under 20 points only paraphrases; nothing selected', () => {
    const rows = [row([1, 0, 1], [8, 0.9, PARAPHRASE])];
    expect([...support([0], rows, 3, { ...options, threshold: null }).joins]).toEqual([0, 0, 0]);
    expect([...support([0], rows, 3, options).joins]).toEqual([0, 0, 1]);
    const none = support([], [], 3, options);
    expect([[...none.item], [...none.joins]]).toEqual([
      [-1, -1, -1],
      [0, 0, 0],
    ]);
    expect(support([0], [row([1], [8])], 1, options).item[0]).toBe(-1);
  });
});
