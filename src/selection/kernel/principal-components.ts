import { EigenvalueDecomposition, Matrix } from 'ml-matrix';

export interface Projection {
  readonly dimensions: number;
  /** Row-major n x dimensions: coordinates of each vector minus the mean, along the direction of largest variance first. */
  readonly coordinates: Float32Array;
  readonly explained: number;
}

/** Max numbers that directions are fitted to: 1,562 vectors of 384 dimensions, 390 of 1,536. */
const MAX_FITTED = 600_000;
const SMALLEST = 1e-12;

/**
 * Principal components (Pearson 1901), bit-identical on every runtime and in any order of the vectors; the largest component of each
 * is positive. Above MAX_FITTED numbers, an evenly spread sample is fitted.
 */
export function principalComponents(vectors: readonly Float32Array[], dimensions: number): Projection {
  const n = vectors.length;
  const d = vectors[0]?.length ?? 0;
  const order = [...vectors.keys()].sort((i, j) => compare(vectors[i], vectors[j])); // makes sums independent of the order
  const rows = new Matrix(order.map((i) => [...vectors[i]]));
  if (n > 0) rows.center('column');
  const total = n * d === 0 ? 0 : rows.norm() ** 2;
  const most = Math.min(dimensions, n - 1, d);
  if (total === 0 || most < 1) {
    return { dimensions: 0, coordinates: new Float32Array(0), explained: total === 0 ? 1 : 0 };
  }
  const step = Math.ceil((n * d) / MAX_FITTED);
  const sample = Array.from({ length: Math.ceil(n / step) }, (_, i) => rows.getRow(i * step));
  const along = rows.mmul(directionsOf(new Matrix(sample), most));
  const coordinates = new Float32Array(n * along.columns);
  for (const [place, vector] of order.entries()) coordinates.set(along.getRow(place), vector * along.columns);
  return { dimensions: along.columns, coordinates, explained: Math.min(1, along.norm() ** 2 / total) };
}

/** Unit vectors as columns, the largest variance first, of the smaller of the two scatter matrices. */
function directionsOf(rows: Matrix, most: number): Matrix {
  const isWide = rows.rows < rows.columns;
  const turned = rows.transpose();
  const scatter = isWide ? rows.mmul(turned) : turned.mmul(rows);
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(scatter, { assumeSymmetric: true });
  const order = [...realEigenvalues.keys()].sort((i, j) => realEigenvalues[j] - realEigenvalues[i]).slice(0, most);
  const kept = order.filter((j) => realEigenvalues[j] > SMALLEST * realEigenvalues[order[0]]);
  const chosen = eigenvectorMatrix.selection([...eigenvectorMatrix.toJSON().keys()], kept);
  const directions = isWide ? turned.mmul(chosen) : chosen;
  for (const c of kept.keys()) {
    const direction = directions.getColumnVector(c);
    const isUpsideDown = direction.max() < -direction.min();
    directions.setColumn(c, direction.div(direction.norm() * (isUpsideDown ? -1 : 1)));
  }
  return directions;
}

function compare(a: Float32Array, b: Float32Array): number {
  for (let c = 0; c < a.length; c++) if (a[c] !== b[c]) return a[c] - b[c];
  return 0;
}
