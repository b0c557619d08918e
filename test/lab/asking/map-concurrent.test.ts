import { expect, test } from 'vitest';
import { mapConcurrent } from '../../../src/lab/asking/map-concurrent.ts';
import fc from '../../support/seeded-fast-check.ts';

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
}

test('results are in order of the jobs, whenever these end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(20), { maxLength: 60 }), async (lengths) => {
      let [underWay, most] = [0, 0];
      const jobs = lengths.map((length, place) => async () => {
        most = Math.max(most, ++underWay);
        await turns(length);
        underWay--;
        // A list is one result.
        return [place];
      });
      expect(await mapConcurrent(jobs)).toEqual(lengths.map((_, place) => [place]));
      expect(most).toBeLessThanOrEqual(16);
    }),
    { numRuns: 50 },
  );
});

test('after a failure nothing is begun, what is under way is waited for, and the first failure is thrown', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ length: fc.nat(20), fails: fc.boolean() }), { maxLength: 60 }),
      async (asked) => {
        const [begun, ended, failed]: [number[], number[], number[]] = [[], [], []];
        const jobs = asked.map(({ length, fails }, place) => async () => {
          expect(failed).toEqual([]);
          begun.push(place);
          await turns(length);
          ended.push(place);
          if (!fails) return;
          failed.push(place);
          throw new Error(`job ${place}`);
        });
        const outcome = await mapConcurrent(jobs).then(
          () => null,
          (failure: Error) => failure.message,
        );
        expect(outcome).toBe(asked.some(({ fails }) => fails) ? `job ${failed[0]}` : null);
        expect(ended.toSorted()).toEqual(begun.toSorted());
        if (outcome === null) expect(begun).toHaveLength(asked.length);
      },
    ),
    { numRuns: 50 },
  );
});
