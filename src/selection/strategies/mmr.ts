import { z } from 'zod';
import { tieLevel } from './objective.ts';
import { pickOneByOne } from './one-by-one.ts';
import { ONE_BY_ONE, type Strategy } from './strategy.ts';

export const mmr = {
  ...ONE_BY_ONE,
  objective: 'One after the other the point with the largest lambda r_i - (1 - lambda) max_{j in S} S_ij.',
  source: 'Carbonell & Goldstein, SIGIR 1998',
  own: {
    key: 'mmr' as const,
    request: z.strictObject({ lambda: z.number().min(0).max(1).optional() }).optional(),
    answer: z.object({ lambda: z.number() }),
    defaults: { lambda: 0.5 },
  },
  select({ kernel: { n }, similarityRow, relevance, ...input }, { lambda }) {
    const left = new Set(input.items);
    const nearest = new Float64Array(n).fill(Number.NEGATIVE_INFINITY);
    return pickOneByOne(input, {
      next() {
        const isFirst = left.size === input.items.length;
        const scores = new Float64Array(n).fill(Number.NEGATIVE_INFINITY);
        for (const i of left) scores[i] = lambda * relevance[i] - (isFirst ? 0 : (1 - lambda) * nearest[i]);
        const level = tieLevel(scores.reduce((most, score) => Math.max(most, score)));
        return scores.findIndex((score) => score >= level);
      },
      async take(item) {
        left.delete(item);
        const row = await similarityRow(item);
        for (let i = 0; i < n; i++) nearest[i] = Math.max(nearest[i], row[i]);
      },
    });
  },
} satisfies Strategy<{ readonly lambda: number }>;
