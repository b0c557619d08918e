import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizeRows } from '../../../src/models/index.ts';
import { contextVectors } from '../../../src/selection/index.ts';
import { evidenceOf, signals } from '../../../src/selection/kernel/relevance-estimate.ts';
import { placedPoints, surroundingSums } from '../../../src/selection/kernel/surroundings.ts';
import { dot, furthest, seeded, unitVectors } from './random.ts';

const unit = (vector: Float32Array) => normalizeRows(vector, 1, vector.length);

/** Points of several documents, some of them under one of two headings, and each with what it stands under as one vector. */
function scene(seed: number, n: number, d: number) {
  const random = seeded(seed);
  const vectors = unitVectors(random, n, d);
  if (seed % 2 === 0) vectors[0].fill(0); // a text without tokens
  const headings = unitVectors(random, 2, d).map((vector, h) => ({
    text: `heading ${h}`,
    vector: vector.map((v) => 0.8 * v),
  }));
  const under = vectors.map((_, i) => [null, ...headings][(i * 7 + seed) % 3]);
  const documents = Int32Array.from(vectors, (_, i) => Math.floor(i / 23));
  const placed = vectors.map((vector, i) => {
    const above = under[i];
    return above === null ? vector : unit(vector.map((v, c) => v + above.vector[c]));
  });
  const [query] = unitVectors(random, 1, d);
  return { vectors, under, documents, placed, query };
}

const SCENES = [fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 60 })] as const;

test('inner products, sums and cosines with surroundings are those of the vectors made in full', () => {
  fc.assert(
    fc.property(...SCENES, (seed, n) => {
      const { vectors, under, documents, placed, query } = scene(seed, n, 16);
      const points = placedPoints(vectors, under, documents);
      const dots = points.dots(query);
      expect(
        furthest(
          points.squares,
          placed.map((vector) => dot(vector, vector)),
        ),
      ).toBeLessThan(1e-5);
      expect(
        furthest(
          dots,
          placed.map((vector) => dot(vector, query)),
        ),
      ).toBeLessThan(1e-6);
      const weights = vectors.map((_, i) => (i % 4) / 2);
      const sum = placed[0].map((_, c) => placed.reduce((total, vector, i) => total + weights[i] * vector[c], 0));
      expect(furthest(points.sum(weights), sum)).toBeLessThan(1e-5);
      const around = contextVectors(placed, documents).map((vector) => dot(vector, query));
      const norms = points.norms();
      const cosines = surroundingSums(dots, documents).map((total, i) => (norms[i] === 0 ? 0 : total / norms[i]));
      expect(furthest(cosines, around)).toBeLessThan(1e-5);
    }),
    { seed: 11 },
  );
});

test('nearness to a topic is that of vectors less three quarters of their mean, the topic moved to the nearest of them', () => {
  fc.assert(
    fc.property(...SCENES, (seed, n) => {
      const { vectors, under, documents, placed, query } = scene(seed, n, 16);
      const common = query.map((_, c) => placed.reduce((sum, vector) => sum + (0.75 * vector[c]) / (n + 20), 0));
      const apart = (vector: Float32Array) => unit(vector.map((v, c) => v - common[c]));
      const asked = apart(query);
      const first = placed.map((vector) => dot(apart(vector), asked));
      const leaders = [...first.keys()]
        .sort((a, b) => first[b] - first[a] || a - b)
        .slice(0, Math.min(20, Math.ceil(n / 4)));
      const centre = unit(query.map((_, c) => leaders.reduce((sum, i) => sum + apart(placed[i])[c], 0)));
      const moved = unit(asked.map((v, c) => v + centre[c]));
      const texts = vectors.map(() => 'a point');
      const evidence = { vectors, texts, under, documents, scale: null };
      const { near } = signals(evidenceOf(evidence), [{ text: 'a topic', vector: query }]).facets[0];
      expect(
        furthest(
          near ?? [],
          placed.map((vector) => dot(apart(vector), moved)),
        ),
      ).toBeLessThan(1e-4);
    }),
    { seed: 12 },
  );
});
