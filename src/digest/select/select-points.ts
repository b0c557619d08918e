import type { Encoder } from '../../models/index.ts';
import type { Selection, SelectionInput, SelectionOptions } from '../../selection/index.ts';
import { countWords, maxWording, seriesOf, titlePrefix } from '../../summary/index.ts';
import { contentHash } from '../../text/index.ts';
import type { DigestDeps } from '../digest-deps.ts';
import type { Engine } from '../engine.ts';
import { encodedText, type Point } from '../extract/points.ts';
import type { ReadDocument } from '../extract/read-documents.ts';
import type { Query } from '../rank/intent.ts';
import { encodedStatements } from './encoded-statements.ts';
import type { EncodedStatement, SelectionTask } from './selection-task.ts';

interface SelectInput {
  /** The gated points, in canonical order, and what was found of each. */
  readonly points: readonly Point[];
  readonly vectors: readonly Float32Array[];
  readonly relevance: Float64Array;
  readonly documents: readonly ReadDocument[];
  /** What the reader knows already. */
  readonly background: readonly EncodedStatement[];
  readonly encoder: Encoder;
  /** Whether the reliability of documents, and how well a point stands alone, count. */
  readonly usesFactors: boolean;
  /** What stands around the points, and how far it counts. */
  readonly context: SelectionTask['context'];
  /** Whether a language model worded the points. */
  readonly isWorded: boolean;
  readonly auto: SelectionInput['auto'];
  readonly eligible: SelectionInput['eligible'];
  readonly room: SelectionInput['room'];
  readonly chosen?: SelectionInput['chosen'];
}

/** Reads the token vectors of the gated points and selects among them. */
export async function selectPoints(
  input: SelectInput,
  options: SelectionOptions,
  { cache, engine }: DigestDeps,
  signal?: AbortSignal,
): Promise<Selection> {
  const { points, vectors, documents, encoder } = input;
  const texts = points.map(encodedText);
  const { similarity } = options.kernel;
  const series = seriesOf(documents.map(({ document }) => document));
  return engine.select(
    {
      source: {
        kind: 'statements',
        statements: await encodedStatements({ texts, sentences: vectors }, similarity, encoder, cache),
        texts: points.map(({ text }) => text),
      },
      context: input.context,
      background: input.background,
      hashes: texts.map((text) => contentHash(text)),
      relevance: input.relevance,
      documents: Int32Array.from(points, ({ documentIndex }) => documentIndex),
      words: Int32Array.from(points, (point) => wordsOf(point, documents, series, input.isWorded)),
      factors: Float64Array.from(points, (point) => (input.usesFactors ? qualityOf(point, documents) : 1)),
      auto: input.auto,
      eligible: input.eligible,
      room: input.room,
      chosen: input.chosen,
    },
    options,
    signal,
  );
}

/** Words that a point takes in a text at most: with the title of its document, where that has to be told. */
function wordsOf(
  point: Point,
  documents: readonly ReadDocument[],
  series: ReadonlySet<string>,
  isWorded: boolean,
): number {
  const { document } = documents[point.documentIndex];
  const isNamed = series.has(document.id) && point.speaker === undefined;
  return maxWording({ ...point, isWorded }) + (isNamed ? countWords(titlePrefix(document) ?? '') : 0);
}

/** What the relevance of a point is multiplied with: its document's weight times how well it stands alone. */
export function qualityOf(
  { documentIndex, selfContained }: Pick<Point, 'documentIndex' | 'selfContained'>,
  documents: readonly Pick<ReadDocument, 'document'>[],
): number {
  return (documents[documentIndex].document.weight ?? 1) * selfContained ** LEANING;
}

/** How strongly a point that leans on the one before it is ranked down: 0.8 counts as 0.64. */
const LEANING = 2;

/** What the reader knows, from the background and from an earlier digest, encoded but not stored: it is the reader's. */
export async function backgroundStatements(
  { background, earlier }: Pick<Query, 'background' | 'earlier'>,
  encoder: Encoder,
  engine: Engine,
): Promise<EncodedStatement[]> {
  const own = background === null ? [] : (await engine.extract(background)).keyPoints;
  const known = [...own, ...(earlier?.points ?? [])];
  return known.length === 0 ? [] : encoder.encode(known.map(encodedText));
}
