import { expect, test } from 'vitest';
import { runRanking } from '../../../src/digest/rank/ranking-task.ts';
import { contextVectors } from '../../../src/selection/index.ts';

/** A talk that stays with its subject, so that what stands around counts. */
const talk = Array.from({ length: 60 }, (_, i) =>
  Float32Array.from({ length: 8 }, (_, c) => Math.cos(i / 9 + c)).map((value, _, all) => value / Math.hypot(...all)),
);
const task = {
  vectors: talk,
  texts: talk.map((_, i) => `point ${i}`),
  under: talk.map(() => null),
  documents: new Int32Array(60),
  foreign: new Uint8Array(60),
  facets: [{ text: 'What?', vector: talk[20] }],
  surroundings: 1,
  estimate: true,
  scale: null,
  gate: 0.9,
  maxKept: 60,
};

test('what stands around is told of the points past the gate alone', () => {
  const { kept, context, surroundings, found } = runRanking(task);
  expect(surroundings).toBeGreaterThan(0);
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.length).toBeLessThan(60);
  expect(context).toEqual(contextVectors(talk, task.documents, kept));
  expect(found).toBeNull();
});

test('steps of a ranking come to the same: what one found the next goes on from, without vectors', () => {
  const earlier = runRanking({ ...task, isPart: true });
  expect(earlier.context).toBeNull();
  const { found, context, ...next } = runRanking({
    ...task,
    isPart: true,
    earlier: { found: earlier.found, surroundings: earlier.surroundings },
    vectors: [],
    texts: [],
    under: [],
  });
  expect(context).toBeNull();
  expect(found).toEqual(earlier.found);
  expect(runRanking(task)).toMatchObject(next);
});

test('no more pass the gate than may; without one all do', () => {
  expect(runRanking({ ...task, gate: null, maxKept: 7 }).kept).toHaveLength(60);
  const { values, kept } = runRanking({ ...task, gate: 0, maxKept: 7 });
  expect(kept).toHaveLength(7);
  const least = Math.min(...kept.map((i) => values[i]));
  expect([...values].filter((value) => value > least).length).toBeLessThan(7);
});
