import { chunks, contentStems, groupBy, lazy } from '../../text/index.ts';
import { commonOf, type Evidence, type RelevanceScale, shapeOf, type Texts, wordsSaid } from './relevance-estimate.ts';
import { coherence, contextVectors, MEASURED, placedPoints } from './surroundings.ts';

/** Part of the keys of packed documents: raise the number with every change of what they hold. */
export const PACKING = 'packed/1';

/** Facts of a document beside those of its points. */
interface DocumentFacts {
  /** ISO 639-3 code, or `und`. */
  readonly language: string;
  readonly words: number;
}

/** Largest magnitude of a component in 16 bits, which keeps cosines to some 1e-6. */
const LARGEST = 32_767;
const HEADER = 7;
/** Bytes of a part, about: a row of D1 holds 2 MB. */
const PART_BYTES = 1_000_000;
/** Of a point or setting beside its vector. */
const OTHER_BYTES = 150;

/**
 * What of a document's points their relevance is found by, without their texts: vectors in 16 bits with a factor each, words, and
 * hashes of stems. Half the size of the vectors; little-endian, as all machines in use are.
 *
 * @returns at least one part
 */
export function packDocument(
  { vectors, texts, under }: Pick<Texts, 'vectors' | 'texts' | 'under'>,
  facts: DocumentFacts,
): Float32Array<ArrayBuffer>[] {
  const { scales, norms } = placedPoints(vectors, under, new Int32Array(vectors.length));
  const lengths = norms();
  const groups = vectors.length === 0 ? [[]] : [...chunks([...vectors.keys()], pointsOfPart(vectors[0].length))];
  return groups.map((own) => packPart(own, groups.length));

  function packPart(own: readonly number[], parts: number): Float32Array<ArrayBuffer> {
    const n = own.length;
    const settings = [...new Set(own.map((i) => under[i]))].filter((setting) => setting !== null);
    const rows = [...own.map((i) => vectors[i]), ...settings.map(({ vector }) => vector)];
    const d = rows[0]?.length ?? 0;
    const said = [...own.map((i) => texts[i]), ...settings.map(({ text }) => text)];
    const stems = said.map((text) => [...contentStems(text)].map(stemHash));
    const all = stems.flat();
    const halves = rows.length * d + 2 * n;
    const packed = new Float32Array(HEADER + 2 * rows.length + 2 * n + all.length + Math.ceil(halves / 2));
    const language = languageNumber(facts.language);
    new Int32Array(packed.buffer).set([n, settings.length, d, all.length, facts.words, language, parts]);
    const part = partOf(packed);
    let end = 0;
    rows.forEach((row, r) => {
      const largest = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      part.factors[r] = largest / LARGEST;
      const times = largest === 0 ? 0 : LARGEST / largest;
      for (let c = 0; c < d; c++) part.rows[r * d + c] = Math.round(row[c] * times);
      end += stems[r].length;
      part.ends[r] = end;
    });
    part.stems.set(all);
    part.scales.set(own.map((i) => scales[i]));
    part.norms.set(own.map((i) => lengths[i]));
    part.said.set(own.map((i) => Math.min(LARGEST, wordsSaid(texts[i]))));
    const places = new Map(settings.map((setting, s) => [setting, s]));
    const placeOf = (setting: Texts['under'][number]) => (setting === null ? -1 : (places.get(setting) ?? -1));
    part.settings.set(own.map((i) => placeOf(under[i])));
    return packed;
  }
}

/** Each point may have a setting of its own. */
function pointsOfPart(dimensions: number): number {
  return Math.max(1, Math.floor(PART_BYTES / (2 * (2 * dimensions + OTHER_BYTES))));
}

/** How many parts the document has whose first part this is; 0 without it. */
export function partsOf(first: Float32Array | undefined): number {
  return first === undefined ? 0 : new Int32Array(first.buffer, first.byteOffset, HEADER)[HEADER - 1];
}

type Part = ReturnType<typeof partOf>;

interface PlacedPart extends Part {
  /** The place of its first point among all. */
  readonly start: number;
}

function partOf({ buffer, byteOffset, length }: Float32Array) {
  const [n, m, d, all, words, language, parts] = new Int32Array(buffer, byteOffset, HEADER);
  let at = byteOffset + 4 * HEADER;
  const next = (bytes: number): number => {
    at += bytes;
    return at - bytes;
  };
  const part = {
    ...{ n, m, d, parts, words, language: languageCode(language) },
    /** Of each row: of the points, then of their settings. */
    factors: new Float32Array(buffer, next(4 * (n + m)), n + m),
    ends: new Uint32Array(buffer, next(4 * (n + m)), n + m),
    scales: new Float32Array(buffer, next(4 * n), n),
    norms: new Float32Array(buffer, next(4 * n), n),
    stems: new Uint32Array(buffer, next(4 * all), all),
    rows: new Int16Array(buffer, next(2 * (n + m) * d), (n + m) * d),
    said: new Int16Array(buffer, next(2 * n), n),
    settings: new Int16Array(buffer, next(2 * n), n),
  };
  if (at > byteOffset + 4 * length) throw new RangeError('a packed document is cut off');
  return part;
}

const LETTERS = 3;

function languageNumber(code: string): number {
  return [...code.slice(0, LETTERS)].reduce((number, letter) => 128 * number + letter.charCodeAt(0), 0);
}

function languageCode(number: number): string {
  return String.fromCharCode(number >> 14, (number >> 7) & 127, number & 127);
}

/** FNV-1a with a last mix: two of 50,000 stems share a hash in every fourth collection. */
function stemHash(stem: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < stem.length; at++) hash = Math.imul(hash ^ stem.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Packed documents, one after another, as evidence of relevance. */
export interface PackedPoints extends Evidence {
  readonly facts: readonly (DocumentFacts & { readonly points: number })[];
  /** The place of the first point of each document. */
  readonly starts: readonly number[];
  /** As of `coherence`. */
  coherence(): number;
  vectorOf(index: number): Float32Array;
  /** As of `contextVectors`. @param indices ascending */
  contextOf(indices: readonly number[]): Float32Array[];
}

/** @param packed the parts of each document */
export function unpackDocuments(
  packed: readonly (readonly Float32Array[])[],
  scale: RelevanceScale | null,
): PackedPoints {
  const starts: number[] = [];
  const all: PlacedPart[] = [];
  let n = 0;
  const facts = packed.map((document) => {
    const parts = document.map(partOf);
    const start = n;
    starts.push(start);
    for (const part of parts) {
      if (part.n > 0) all.push({ ...part, start: n });
      n += part.n;
    }
    const [{ language, words }] = parts;
    return { language, words, points: n - start };
  });
  const documents = new Int32Array(n);
  facts.forEach(({ points }, document) => {
    documents.fill(document, starts[document], starts[document] + points);
  });
  const partAt = new Int32Array(n);
  all.forEach(({ start, n: own }, place) => {
    partAt.fill(place, start, start + own);
  });
  const perPoint = (of: (part: Part) => ArrayLike<number>): Float64Array => {
    const values = new Float64Array(n);
    for (const part of all) values.set(of(part), part.start);
    return values;
  };
  const vectorOf = (index: number): Float32Array => {
    const part = all[partAt[index]];
    return rowOf(part, index - part.start);
  };
  const vectors = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => vectorOf(from + i));
  const hasVector = ({ n: own, factors, scales, settings }: Part) =>
    Float64Array.from({ length: own }, (_, i) => Number((settings[i] < 0 ? factors[i] : scales[i]) > 0));
  const points: PackedPoints['points'] = {
    squares: perPoint(hasVector),
    dots(query) {
      const out = new Float64Array(n);
      const asked = Float64Array.from(query);
      for (const part of all) dotsInto(out, part, asked);
      return out;
    },
    sum(weights) {
      const total = new Float64Array(all[0]?.d ?? 0);
      for (const part of all) addSum(total, part, weights);
      return Float32Array.from(total);
    },
    norms: () => perPoint(({ norms }) => norms),
  };
  return {
    ...{ documents, starts, scale, facts, vectorOf, points },
    common: lazy(() => commonOf(points)),
    shape: shapeOf(
      perPoint(({ said }) => said),
      documents,
    ),
    holders(stems) {
      const found = stems.map(() => ({ inText: new Uint8Array(n), inPlace: new Uint8Array(n) }));
      stems.map(stemHash).forEach((hash, s) => {
        for (const part of all) markHolders(part, hash, part.start, found[s]);
      });
      return found;
    },
    coherence: lazy(() => coherence(vectors(0, Math.min(n, MEASURED)), documents)),
    contextOf: (indices) =>
      [...groupBy(indices, (index) => documents[index])].flatMap(([document, own]) => {
        const [from, { points: length }] = [starts[document], facts[document]];
        const places = own.map((index) => index - from);
        return contextVectors(vectors(from, from + length), new Int32Array(length), places);
      }),
  };
}

function rowOf({ rows, factors, d }: Part, row: number): Float32Array {
  const out = new Float32Array(d);
  for (let c = 0; c < d; c++) out[c] = factors[row] * rows[row * d + c];
  return out;
}

function markHolders(
  { n, m, ends, stems, settings }: Part,
  hash: number,
  start: number,
  { inText, inPlace }: { readonly inText: Uint8Array; readonly inPlace: Uint8Array },
): void {
  const above = new Uint8Array(m);
  for (let s = 0; s < m; s++) above[s] = holds(stems, ends[n + s - 1] ?? 0, ends[n + s], hash);
  for (let i = 0; i < n; i++) {
    const own = holds(stems, i === 0 ? 0 : ends[i - 1], ends[i], hash);
    inText[start + i] = own;
    inPlace[start + i] = own | (settings[i] < 0 ? 0 : above[settings[i]]);
  }
}

function holds(stems: Uint32Array, from: number, to: number, hash: number): number {
  for (let at = from; at < to; at++) if (stems[at] === hash) return 1;
  return 0;
}

function dotsInto(out: Float64Array, part: PlacedPart, query: Float64Array): void {
  const { n, m, start, d, rows, factors, scales, settings } = part;
  const above = Float64Array.from({ length: m }, (_, s) => factors[n + s] * dotAt(rows, (n + s) * d, query));
  for (let i = 0; i < n; i++) {
    const own = factors[i] * dotAt(rows, i * d, query);
    out[start + i] = scales[i] * (own + (settings[i] < 0 ? 0 : above[settings[i]]));
  }
}

/** Four sums at once run some three times as fast as one. */
function dotAt(rows: Int16Array, at: number, query: Float64Array): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const whole = query.length & ~3;
  for (let i = 0; i < whole; i += 4) {
    a += rows[at + i] * query[i];
    b += rows[at + i + 1] * query[i + 1];
    c += rows[at + i + 2] * query[i + 2];
    d += rows[at + i + 3] * query[i + 3];
  }
  for (let i = whole; i < query.length; i++) a += rows[at + i] * query[i];
  return a + b + c + d;
}

function addSum(total: Float64Array, part: PlacedPart, weights: ArrayLike<number>): void {
  const { n, m, start, rows, factors, scales, settings } = part;
  const ofSettings = new Float64Array(m);
  for (let i = 0; i < n; i++) {
    const weight = scales[i] * weights[start + i];
    if (weight === 0) continue;
    addRow(total, rows, i, weight * factors[i]);
    if (settings[i] >= 0) ofSettings[settings[i]] += weight;
  }
  ofSettings.forEach((weight, s) => {
    if (weight !== 0) addRow(total, rows, n + s, weight * factors[n + s]);
  });
}

function addRow(total: Float64Array, rows: Int16Array, row: number, times: number): void {
  const at = row * total.length;
  for (let c = 0; c < total.length; c++) total[c] += times * rows[at + c];
}
