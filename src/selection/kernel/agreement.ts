import { type MatrixProduct, normalizeRows } from '../../models/index.ts';
import {
  type Centring,
  centred,
  centring,
  offDiagonalMoments,
  offDiagonalPercentile,
  type Reference,
  rowOf,
} from './reference.ts';
import { addTo, dot } from './vectors.ts';

/** Min number of points for relative measures: rows of C sum to 0 whether anything repeats or not. */
export const CENTRING_LEAST = 20;
/** Agreement of points at paraphrase level on S: above any other. */
export const PARAPHRASE = 8;
/** Agreement of points about different things, whatever else they share: below any other. */
export const NONE = -8;

/** Weights of plain BERTScore (what any two statements on the subject share) and of wording. */
const PLAIN_SHARE = 0.5;
const WORDING_SHARE = 0.4;
/** Lower similarities carry no information on a point's place among the others. */
const PROFILE_PERCENTILE = 60;

export interface AgreementOptions {
  readonly paraphrase: number;
  readonly unlike: number;
}

type Evidence = { readonly [Kind in 'plain' | 'wording' | 'cosines']: Float32Array | null };

/** How far points say the same, beyond being about the same subject: the basis of salience, coverage and support. */
export interface Agreement {
  readonly levels: Float32Array;
  /** The same with PARAPHRASE and NONE where S or the cosine decide alone. */
  readonly values: Float32Array;
  row(i: number, similarities: Float32Array, cosines: Float32Array | null): Float32Array;
}

/**
 * Second-order similarity: points agree if they resemble the *same* other points (docs/decisions/agreement.md).
 *
 * B = zz(C) - 0.5 zz(C of plain BERTScore) + 0.4 zz(C of wording), zz standardised off the diagonal; N = profile(profile(B)),
 * profile(M) = cosines of the rows of max(0, M - its 60th percentile); A = N centred. Under CENTRING_LEAST points, A = C.
 */
export async function agreement(
  reference: Reference,
  centre: Centring,
  evidence: Evidence,
  options: AgreementOptions,
  product: MatrixProduct,
): Promise<Agreement> {
  const { n, indices } = reference;
  const near = evidence.cosines && { ...reference, similarities: evidence.cosines };
  let levelsOf: (i: number, similarities: Float32Array) => Float32Array = (i, row) =>
    row.map((s, j) => centred(s, centre, i, j));
  if (n >= CENTRING_LEAST) {
    const first = await profile({ ...reference, similarities: blend(reference, evidence) }, product);
    const second = await profile(first, product);
    const profileCentre = centring(second);
    const place = new Map(indices.map((index, r) => [index, r]));
    levelsOf = (i) => {
      const r = place.get(i);
      const row = r === undefined ? cosinesWith(second.features, n, i) : rowOf(second, r);
      return row.map((s, j) => centred(s, profileCentre, i, j));
    };
  }
  const mask = (level: Float32Array, row: Float32Array, cosines: Float32Array | null): Float32Array =>
    level.map((value, j) => {
      if (row[j] >= options.paraphrase) return PARAPHRASE;
      return cosines !== null && cosines[j] < options.unlike ? NONE : value;
    });

  const levels = new Float32Array(indices.length * n);
  const values = new Float32Array(indices.length * n);
  indices.forEach((index, r) => {
    const row = rowOf(reference, r);
    const level = levelsOf(index, row);
    levels.set(level, r * n);
    values.set(mask(level, row, near && rowOf(near, r)), r * n);
  });
  return { levels, values, row: (i, row, cosines) => mask(levelsOf(i, row), row, cosines) };
}

export function supports(value: number, threshold: number, n: number): boolean {
  return n < CENTRING_LEAST ? value === PARAPHRASE : value >= threshold;
}

function blend(reference: Reference, { plain, wording }: Evidence): Float32Array {
  const out = standardised(reference);
  const parts = [[plain, -PLAIN_SHARE] as const, [wording, WORDING_SHARE] as const];
  for (const [similarities, share] of parts) {
    if (similarities !== null) addTo(out, standardised({ ...reference, similarities }), share);
  }
  return out;
}

function standardised(reference: Reference): Float32Array {
  const { n, indices } = reference;
  const centre = centring(reference);
  const c = new Float32Array(indices.length * n);
  indices.forEach((index, r) => {
    const row = rowOf(reference, r);
    for (let i = 0; i < n; i++) c[r * n + i] = centred(row[i], centre, index, i);
  });
  const { mean, deviation } = offDiagonalMoments({ ...reference, similarities: c });
  return c.map((value) => (deviation === 0 ? 0 : (value - mean) / deviation));
}

/** Profiles of all points, row-major n x references, and their cosines with those of the references. */
async function profile(
  reference: Reference,
  product: MatrixProduct,
): Promise<Reference & { readonly features: Float32Array }> {
  const { n, indices, similarities } = reference;
  const m = indices.length;
  const floor = offDiagonalPercentile(reference, PROFILE_PERCENTILE);
  const features = new Float32Array(n * m);
  indices.forEach((index, r) => {
    for (let i = 0; i < n; i++) if (i !== index) features[i * m + r] = Math.max(0, similarities[r * n + i] - floor);
  });
  normalizeRows(features, n, m);
  const chosen = new Float32Array(m * m);
  indices.forEach((index, r) => {
    chosen.set(features.subarray(index * m, (index + 1) * m), r * m);
  });
  const right = await product.prepare(features, n, m);
  return { n, indices, features, similarities: await right.multiply(chosen, m) };
}

function cosinesWith(features: Float32Array, n: number, i: number): Float32Array {
  const m = features.length / n;
  const own = features.subarray(i * m, (i + 1) * m);
  return Float32Array.from({ length: n }, (_, j) => dot(own, features.subarray(j * m, (j + 1) * m)));
}

/** D_i: the number of other documents that contain a reference supporting point i. */
export function salience(
  { n, indices }: Reference,
  agreement: Float32Array,
  documents: Int32Array,
  threshold: number,
): Float64Array {
  const counts = new Float64Array(n);
  const seen = new Int32Array(documents.reduce((most, d) => Math.max(most, d), -1) + 1).fill(-1);
  for (let i = 0; i < n; i++) {
    seen[documents[i]] = i;
    for (let r = 0; r < indices.length; r++) {
      const document = documents[indices[r]];
      if (seen[document] === i || !supports(agreement[r * n + i], threshold, n)) continue;
      seen[document] = i;
      counts[i]++;
    }
  }
  return counts;
}
