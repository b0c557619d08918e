import { expect } from 'vitest';
import type { Digest } from '../../src/contract/index.ts';
import type { SourceDocument } from '../../src/text/index.ts';

/** P1: every quote of an answer is an exact slice of its document. */
function expectExactQuotes(
  { summary, keyPoints }: Pick<Digest, 'summary' | 'keyPoints'>,
  documents: readonly SourceDocument[],
): void {
  const texts = new Map(documents.map(({ id, text }) => [id, text]));
  const quoted = [
    ...keyPoints.flatMap(({ document, quote, moreQuotes }) =>
      [quote, ...moreQuotes].map((each) => ({ document, quote: each })),
    ),
    ...summary.sentences.flatMap(({ citations }) => citations),
  ];
  for (const { document, quote } of quoted) {
    expect(quote.text).not.toBe('');
    if (quote.start === null) continue; // named unverified, and nothing is made of it
    expect(texts.get(document)?.slice(quote.start, quote.end)).toBe(quote.text);
  }
  const unverified = keyPoints.filter(({ quote }) => quote.start === null);
  expect(unverified.every(({ selected, supports, reason }) => !selected && !supports && reason === 'unverified')).toBe(
    true,
  );
  const cited = new Set(summary.sentences.flatMap((sentence) => sentence.keyPoints));
  expect(unverified.filter(({ id }) => cited.has(id))).toEqual([]);
}

/** P2: every sentence cites, or is framing; markers and sources agree, numbered in the order of appearance. */
function expectSourced({ summary, sources }: Digest): void {
  for (const { framing, citations, keyPoints, text } of summary.sentences) {
    expect(text.trim()).not.toBe('');
    expect(citations.length > 0).toBe(!framing);
    // A model that reads whole documents may cite what is no key point.
    if (framing) expect(keyPoints).toEqual([]);
  }
  const cited = [...new Set(summary.sentences.flatMap(({ citations }) => citations.map(({ document }) => document)))];
  expect(sources.map(({ number, document }) => [number, document])).toEqual(cited.map((id, i) => [i + 1, id]));
  const unmarked = summary.sentences.filter(({ framing }) => framing).map(({ text }) => text);
  for (const text of unmarked) expect(summary.text).toContain(text);
}

/** P3: every selected key point is cited, with its own document, by a sentence that states it, or named as left out. */
function expectNothingLost({ summary, keyPoints, writing }: Digest): void {
  const leftOut = new Set(writing?.leftOut?.map(({ keyPoint }) => keyPoint));
  for (const { id, document } of keyPoints.filter(({ selected }) => selected)) {
    const own = summary.sentences.filter((sentence) => sentence.keyPoints.includes(id));
    if (leftOut.has(id)) {
      expect(own).toEqual([]);
      continue;
    }
    expect(own.flatMap(({ citations }) => citations.map((citation) => citation.document))).toContain(document);
  }
}

/** Every number is finite: JSON writes NaN and Infinity as null, so that the value itself is walked. */
function expectFinite(value: unknown, path = ''): void {
  if (typeof value === 'number') expect(Number.isFinite(value), `${path} is ${value}`).toBe(true);
  if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) expectFinite(item, `${path}/${key}`);
  }
}

/** All that holds for any digest of these documents. */
export function expectSound(digest: Digest, documents: readonly SourceDocument[]): void {
  expectExactQuotes(digest, documents);
  expectSourced(digest);
  expectNothingLost(digest);
  expectFinite(digest);
  expect(digest.documents.map(({ id }) => id).sort()).toEqual(documents.map(({ id }) => id).sort());
}

/** What the same request must answer every time (P6): all but id, timings and usage. */
export function answered({
  id: _,
  timings: __,
  usage: ___,
  ...rest
}: Digest): Omit<Digest, 'id' | 'timings' | 'usage'> {
  return rest;
}

/** What a caller is told, but for the receipts of what neither passed the gate nor was read. */
export function toldOf(digest: Digest) {
  const { keyPoints, metrics, usage: _, selection, ...rest } = answered(digest) as Digest;
  const { redundancy, relevance, ...others } = metrics;
  return {
    ...rest,
    intent: rest.intent && { ...rest.intent, nearest: rest.intent.nearest.slice(0, 1) },
    metrics: others,
    gate: selection.gate,
    selected: keyPoints.filter((point) => point.selected).map(({ id, supports, quote }) => ({ id, supports, quote })),
    rounded: [redundancy, relevance].map((value) => value?.toFixed(2)),
  };
}
