import { type MatrixProduct, normalizeRows } from '../../models/index.ts';
import {
  type Centring,
  centred,
  centring,
  offDiagonalMoments,
  offDiagonalPercentile,
  type Reference,
} from './reference.ts';

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

interface Evidence {
  readonly plain: Float32Array | null;
  readonly wording: Float32Array | null;
  readonly cosines: Float32Array | null;
}

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
  const { n, indices, similarities } = reference;
  const { cosines: near } = evidence; // so that the closures below do not retain the rest
  const m = indices.length;
  let levelsOf: (i: number, similarities: Float32Array) => Float32Array = (i, row) =>
    row.map((s, j) => centred(s, centre, i, j));
  if (n >= CENTRING_LEAST) {
    const first = await profile({ ...reference, similarities: blend(reference, evidence) }, product);
    const second = await profile({ ...reference, similarities: first.similarities }, product);
    const profileCentre = centring({ ...reference, similarities: second.similarities });
    const place = new Map(indices.map((index, r) => [index, r]));
    levelsOf = (i) => {
      const r = place.get(i);
      const row =
        r === undefined ? cosinesOf(second.features, n, m, i) : second.similarities.subarray(r * n, (r + 1) * n);
      return row.map((s, j) => centred(s, profileCentre, i, j));
    };
  }
  const mask = (level: Float32Array, row: Float32Array, cosines: Float32Array | null): Float32Array =>
    level.map((value, j) => {
      if (row[j] >= options.paraphrase) return PARAPHRASE;
      return cosines !== null && cosines[j] < options.unlike ? NONE : value;
    });

  const levels = new Float32Array(m * n);
  const values = new Float32Array(m * n);
  indices.forEach((index, r) => {
    const row = similarities.subarray(r * n, (r + 1) * n);
    const level = levelsOf(index, row);
    levels.set(level, r * n);
    values.set(mask(level, row, near?.subarray(r * n, (r + 1) * n) ?? null), r * n);
  });
  return { levels, values, row: (i, row, cosines) => mask(levelsOf(i, row), row, cosines) };
}

export function supports(value: number, threshold: number, n: number): boolean {
  return n < CENTRING_LEAST ? value === PARAPHRASE : value >= threshold;
}

function blend(reference: Reference, { plain, wording }: Evidence): Float32Array {
  const out = standardised(reference);
  if (plain !== null) addInto(out, standardised({ ...reference, similarities: plain }), -PLAIN_SHARE);
  if (wording !== null) addInto(out, standardised({ ...reference, similarities: wording }), WORDING_SHARE);
  return out;
}

function addInto(out: Float32Array, values: Float32Array, factor: number): void {
  for (let k = 0; k < out.length; k++) out[k] += factor * values[k];
}

function standardised(reference: Reference): Float32Array {
  const { n, indices, similarities } = reference;
  const centre = centring(reference);
  const c = new Float32Array(similarities.length);
  indices.forEach((index, r) => {
    for (let i = 0; i < n; i++) c[r * n + i] = centred(similarities[r * n + i], centre, index, i);
  });
  const { mean, deviation } = offDiagonalMoments({ ...reference, similarities: c });
  return c.map((value) => (deviation === 0 ? 0 : (value - mean) / deviation));
}

async function profile(
  reference: Reference,
  product: MatrixProduct,
): Promise<{ features: Float32Array; similarities: Float32Array }> {
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
  return { features, similarities: await right.multiply(chosen, m) };
}

function cosinesOf(features: Float32Array, n: number, m: number, i: number): Float32Array {
  const out = new Float32Array(n);
  for (let j = 0; j < n; j++) {
    let sum = 0;
    for (let r = 0, a = i * m, b = j * m; r < m; r++, a++, b++) sum += features[a] * features[b];
    out[j] = sum;
  }
  return out;
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
