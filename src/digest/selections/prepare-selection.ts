import { DEFAULT_KEY_POINTS, type SelectionsRequest } from '../../contract/index.ts';
import { type Encoder, encodeTexts, isReranker, type RelevanceScorer } from '../../models/index.ts';
import { contextVectors, keptByGate, type SelectionOptions, symmetrise } from '../../selection/index.ts';
import { contentHash, languageName } from '../../text/index.ts';
import { encoderWithId, knownEncoder, knownScorer } from '../engine.ts';
import { type ResolvedSelection, resolveSelection, sameLevel, similaritiesOf } from '../options.ts';
import { isForeign, type Query, queryOf } from '../rank/query.ts';
import { scoredFacets } from '../rank/rank-points.ts';
import type { Ranking } from '../rank/ranking-task.ts';
import type { DigestDeps } from '../run.ts';
import { backgroundStatements, encodedStatements } from '../select/select.ts';
import type { SelectionItems, SelectionSettings, SelectionSource } from '../select/selection-task.ts';
import { type GivenItems, givenItems, type KeptDigests, type StoredPoints } from './items.ts';
import { encoderNamed } from './missing-input.ts';

export type PreparedSelection = Awaited<ReturnType<typeof prepareSelection>>;

/** Reads the items, their relevance and the kernel inputs. @throws UnusableOptionError if an option is unavailable */
export async function prepareSelection(request: SelectionsRequest, deps: DigestDeps, digests: KeptDigests) {
  const { engine, cache } = deps;
  const items = await givenItems(request, digests, engine.selectCached !== undefined);
  const encoder = items.texts === null ? null : encoderFor(request, items, deps);
  const named = request.selection?.relevance?.encoder ?? undefined;
  const relevanceEncoder = named === undefined ? encoder : knownScorer(engine, named, '/selection/relevance/encoder');
  const asked = resolveSelection(request.selection ?? {}, {
    gate: null,
    surroundings: 0,
    coverageWeight: 0,
    sourcesWeight: 0,
    size: { keyPoints: DEFAULT_KEY_POINTS },
    refine: false,
    similarities:
      encoder !== null
        ? similaritiesOf(encoder.profile)
        : request.kernel === undefined
          ? ['cosine']
          : ['cosine', 'bertscore'], // a given kernel ignores it
    calibration: encoder?.profile.calibration ?? null,
  });
  const query = queryOf(request, asked.facets === true);
  const ranking =
    items.texts === null || relevanceEncoder === null || query.text === null
      ? null
      : await rankItems(items, query, relevanceEncoder, asked, deps);
  const relevance = ranking?.values ?? givenRelevance(request, items);
  const { stored } = items;
  const isAsked = ranking !== null || stored !== null;
  const allEligible = ranking?.eligible ?? stored?.eligible ?? null;
  const around = aroundOf(items, ranking, relevanceEncoder, encoder, asked, deps);
  const share = around?.share ?? 0;
  const isOfDigest = stored !== null && encoder !== null;
  const { support, size, strategy, kernel } = asked.options;
  const same =
    isOfDigest && asked.preset !== 'published' ? sameLevel(encoder.profile.calibration, share) : support.same;
  const options = { ...asked.options, support: { ...support, same } };
  const { candidates, known } = candidatesOf(relevance, asked.gate, ranking === null ? stored : null);
  const auto =
    stored !== null && size === 'auto'
      ? await digests.readAutoSize(stored)
      : { points: DEFAULT_KEY_POINTS, words: null };
  const eligible = allEligible !== null && size === 'auto' ? Uint8Array.from(candidates, (i) => allEligible[i]) : null;
  const settings: SelectionSettings = {
    share,
    background: encoder === null ? [] : await backgroundStatements(query, encoder, engine),
    relevance: Float64Array.from(candidates, (i) => relevance[i]),
    words: Int32Array.from(candidates, (i) => items.words[i]),
    factors: Float64Array.from(candidates, (i) => (asked.usesFactors ? (stored?.quality[i] ?? 1) : 1)),
    auto: { points: isAsked && strategy !== 'k-dpp' ? auto.points : null, words: auto.words },
    eligible,
    room: null,
  };
  const depends = isOfDigest && [cache.scope, stored.digest, encoder.profile.id, kernel.similarity, kernel.idf];
  return {
    items,
    asked,
    options,
    encoder,
    relevanceEncoder,
    query,
    relevance,
    candidates,
    known,
    eligible,
    settings,
    /** Cache key of the similarities of a digest's points; null for other items. */
    key: depends ? JSON.stringify([...depends, around?.encoder ?? null, contentHash(candidates.join())]) : null,
    selectable: async (): Promise<SelectionItems> => {
      const vectors = (await around?.vectors()) ?? null;
      return {
        ...(await sourceOf(request, items, encoder, candidates, kernel.similarity, deps)),
        context: vectors && candidates.map((i) => vectors[i]),
        documents: Int32Array.from(candidates, (i) => items.documents[i]),
      };
    },
    warnings: warningsOf(items, query, relevanceEncoder),
  };
}

interface Around {
  readonly share: number;
  readonly encoder: string;
  vectors(): Promise<readonly Float32Array[]>;
}

/** The surroundings of ranked items, or of a digest's points, which include those below its gate. */
function aroundOf(
  { stored, encoded, documents }: GivenItems,
  ranking: Ranking | null,
  relevanceEncoder: RelevanceScorer | null,
  kernelEncoder: Encoder | null,
  { surroundings }: ResolvedSelection,
  { engine, cache }: DigestDeps,
): Around | null {
  if (ranking !== null) {
    const { context, surroundings: share } = ranking;
    if (context === null || relevanceEncoder === null) return null;
    return { share, encoder: relevanceEncoder.profile.id, vectors: async () => context };
  }
  if (stored === null || kernelEncoder === null || surroundings === 0) return null;
  // The encoder of the digest may be missing.
  const encoder = encoderWithId(engine, stored.contextEncoder) ?? kernelEncoder;
  const vectors = async () => contextVectors((await encodeTexts(encoder, cache, encoded)).sentences, documents);
  return { share: surroundings, encoder: encoder.profile.id, vectors };
}

function encoderFor(request: SelectionsRequest, { stored }: GivenItems, deps: DigestDeps): Encoder {
  const named = encoderNamed(request);
  if (named === undefined && stored !== null) {
    const same = encoderWithId(deps.engine, stored.encoder);
    if (same !== undefined) return same;
  }
  return knownEncoder(deps.engine, named, '/engine/encoder');
}

async function rankItems(
  { documents, texts, encoded, language: known }: GivenItems,
  query: Query,
  encoder: RelevanceScorer,
  { surroundings, estimate }: ResolvedSelection,
  { engine, cache }: DigestDeps,
): Promise<Ranking> {
  const vectors = isReranker(encoder) ? [] : (await encodeTexts(encoder, cache, encoded)).sentences;
  const foreign = isForeign(query.language, encoder) || isForeign(known, encoder) ? 1 : 0;
  return engine.rank({
    ...(await scoredFacets(query.facets, encoded, encoder)),
    vectors,
    texts: texts ?? [],
    under: encoded.map(() => null),
    documents,
    foreign: new Uint8Array(encoded.length).fill(foreign),
    surroundings,
    estimate,
    scale: isReranker(encoder) ? null : encoder.profile.calibration.relevance,
    gate: null,
    maxKept: Number.POSITIVE_INFINITY,
  });
}

/** Relevance without an encoder: scores, a query vector, a stored digest, or 1 for all. */
function givenRelevance(
  { relevanceScores, queryEmbedding, embeddings }: SelectionsRequest,
  { order, stored }: GivenItems,
): Float64Array {
  if (stored !== null) return Float64Array.from(stored.relevance);
  if (relevanceScores !== undefined) return Float64Array.from(order, (index) => relevanceScores[index]);
  if (queryEmbedding === undefined || embeddings === undefined) return new Float64Array(order.length).fill(1);
  const query = unitVector(queryEmbedding);
  return Float64Array.from(order, (index) =>
    unitVector(embeddings[index]).reduce((sum, value, c) => sum + value * query[c], 0),
  );
}

/** Scales to unit length without overflow; zeros for the zero vector. */
function unitVector(vector: readonly number[]): Float32Array {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0) return new Float32Array(vector.length);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + (value / largest) ** 2, 0));
  return Float32Array.from(vector, (value) => value / largest / length);
}

/** What the gate keeps, without what the reader of a stored digest knows. */
function candidatesOf(
  relevance: Float64Array,
  gate: number | null,
  stored: StoredPoints | null,
): { readonly candidates: readonly number[]; readonly known: ReadonlySet<number> } {
  const known = stored?.known ?? new Set();
  const kept = stored !== null && stored.gate === gate ? stored.kept : keptByGate(relevance, gate);
  return { candidates: kept.filter((i) => !known.has(i)), known };
}

async function sourceOf(
  { embeddings, kernel }: SelectionsRequest,
  { texts, encoded, hashes: own }: GivenItems,
  encoder: Encoder | null,
  candidates: readonly number[],
  similarity: SelectionOptions['kernel']['similarity'],
  { cache }: DigestDeps,
): Promise<{ source: SelectionSource; hashes: readonly string[] }> {
  const hashes = candidates.map((i) => own[i]);
  if (kernel !== undefined) return { source: { kind: 'kernel', values: partOf(kernel, candidates) }, hashes };
  if (embeddings !== undefined) {
    return { source: { kind: 'vectors', vectors: candidates.map((i) => unitVector(embeddings[i])) }, hashes };
  }
  if (encoder === null || texts === null) throw new TypeError('items without vectors need texts and an encoder');
  const read = candidates.map((i) => encoded[i]);
  const { sentences } = await encodeTexts(encoder, cache, read);
  const statements = await encodedStatements(read, sentences, similarity, encoder, cache);
  return {
    source: { kind: 'statements', statements, texts: candidates.map((i) => texts[i]) },
    hashes: read.map((text) => contentHash(text)),
  };
}

function partOf(kernel: readonly (readonly number[])[], chosen: readonly number[]): Float64Array {
  const n = chosen.length;
  const values = new Float64Array(n * n);
  chosen.forEach((i, a) => {
    chosen.forEach((j, b) => {
      values[a * n + b] = kernel[i][j];
    });
  });
  return symmetrise(values, n);
}

function warningsOf({ texts, language: known }: GivenItems, query: Query, encoder: RelevanceScorer | null): string[] {
  const foreign = [known, query.language].filter((each) => encoder !== null && isForeign(each, encoder));
  if (texts === null || encoder === null || foreign.length === 0) return [];
  const names = [...new Set(foreign)].map(languageName).join(', ');
  return [
    `Items or intent are in ${names}, which the encoder "${encoder.profile.id}" does not support; relevance is based on shared words.`,
  ];
}
