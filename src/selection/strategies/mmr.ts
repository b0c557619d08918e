import { z } from 'zod';
import { tieLevel } from './objective.ts';
import { ANY_SIZE, type Strategy } from './strategy.ts';

export const mmr = {
  title: 'Relevance minus repetition',
  line: 'The classic: the next key point is relevant and unlike those selected before (MMR).',
  group: 'different',
  chooses: 'maximal marginal relevance',
  objective: 'One after the other the point with the largest lambda r_i - (1 - lambda) max_{j in S} S_ij.',
  cost: 'O(n k), k rows of the similarity',
  source: 'Carbonell & Goldstein, SIGIR 1998',
  sizes: ANY_SIZE,
  isSequential: true,
  isSampled: false,
  needs: {},
  own: {
    key: 'mmr' as const,
    request: z.strictObject({ lambda: z.number().min(0).max(1).optional() }).optional(),
    answer: z.object({ lambda: z.number() }),
    defaults: { lambda: 0.5 },
    labels: { lambda: 'Relevance against variety (MMR)' },
  },
  async select({ kernel: { n }, items: all, similarityRow, relevance, fits, limit }, { lambda }) {
    const items: number[] = [];
    const left = new Set(all);
    const nearest = new Float64Array(n).fill(Number.NEGATIVE_INFINITY);
    const scores = new Float64Array(n);
    for (;;) {
      if (left.size === 0) return { items, stoppedBy: 'exhausted' };
      if (items.length >= limit) return { items, stoppedBy: 'size' };
      let largest = Number.NEGATIVE_INFINITY;
      scores.fill(Number.NEGATIVE_INFINITY);
      for (const i of left) {
        const repeated = items.length === 0 ? 0 : (1 - lambda) * nearest[i];
        scores[i] = lambda * relevance[i] - repeated;
        if (scores[i] > largest) largest = scores[i];
      }
      const level = tieLevel(largest);
      const item = scores.findIndex((score) => score >= level);
      if (!fits(item, items)) return { items, stoppedBy: 'words' };
      const row = await similarityRow(item);
      for (let i = 0; i < n; i++) nearest[i] = Math.max(nearest[i], row[i]);
      left.delete(item);
      items.push(item);
    }
  },
} satisfies Strategy<{ readonly lambda: number }>;
