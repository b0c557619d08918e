import { expect } from 'vitest';
import { shortened } from '../../../src/contract/index.ts';
import type { Suite } from '../service.ts';

const CLAUSES = [
  '市议会批准了老城区的拥堵费',
  '电车网络需要四十名新司机',
  '居民只需支付一半的费用',
  '警方要求增加新的摄像头',
  '𠮷野家在三月开业',
];

/**
 * A million characters, half of them questions, which are no points: what many points cost is not what is tried here. Each
 * statement is long enough for its answer to be.
 */
function longText(): string {
  let text = '';
  for (let i = 0; text.length < 998_000; i++) {
    const clauses = Array.from({ length: 36 }, (_, k) => `${CLAUSES[(i * 7 + k * 3) % CLAUSES.length]}${i * 37 + k}`);
    text += `${clauses.join('又')}${i % 2 === 0 ? '。' : '？'}`;
  }
  return text;
}

/** Sizes that a row of the database does not take in one piece. */
export const limits: Suite = (holds) => {
  holds(
    'a document of a million characters is kept and quoted, in an answer above what a row takes',
    async (service) => {
      const { digest, get } = service;
      const made = await digest({
        documents: [{ id: 'long', text: longText() }],
        intent: '拥堵费',
        selection: { size: { keyPoints: 5 } },
        summary: { format: 'bullets' },
      });
      expect(made.counts?.keyPoints).toBeGreaterThan(500);
      expect(made.summary.sentences.some(({ citations }) => citations.length > 0)).toBe(true);
      const answer = await (await get(`/v1/digests/${made.id}?include=receipts`)).text();
      expect(new TextEncoder().encode(answer).length).toBeGreaterThan(2_100_000);
      expect(shortened(JSON.parse(answer)).digest).toEqual(made);
    },
  );
};
