import { DEFAULT_KEY_POINTS, type SelectionsRequest } from '../../contract/index.ts';
import { type Encoder, encodeTexts, isReranker, type RelevanceScorer } from '../../models/index.ts';
import { contextVectors, passGate, type SelectionOptions, symmetrise } from '../../selection/index.ts';
import { contentHash, languageName } from '../../text/index.ts';
import { encoderWithId, knownEncoder, knownScorer } from '../engine.ts';
import { type ResolvedSelection, resolveSelection, sameLevel, similaritiesOf } from '../options.ts';
import { isForeign, type Query, queryOf } from '../rank/query.ts';
import { scoredFacets } from '../rank/rank-points.ts';
import type { Ranking } from '../rank/ranking-task.ts';
import type { DigestDeps } from '../run.ts';
import type { SelectionItems, SelectionSettings, SelectionSource } from '../select/selection-task.ts';
import { backgroundStatements, encodedStatements } from '../select/statements.ts';
import { type GivenItems, givenItems, type KeptDigests, type StoredPoints } from './items.ts';

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
  const passes = ranking?.passes ?? stored?.passes ?? null;
  // Surroundings of a digest's points include those below its gate. Its encoder may be missing: then the kernel's serves.
  const contextEncoder =
    stored === null || encoder === null ? null : (encoderWithId(engine, stored.contextEncoder) ?? encoder);
  const isAround = ranking === null ? contextEncoder !== null && asked.surroundings > 0 : ranking.context !== null;
  const share = isAround ? (ranking?.surroundings ?? asked.surroundings) : 0;
  const around = ranking === null ? contextEncoder : relevanceEncoder;
  const context = async () => {
    if (ranking !== null || !isAround || contextEncoder === null) return ranking?.context ?? null;
    return contextVectors((await encodeTexts(contextEncoder, cache, items.encoded)).sentences, items.documents);
  };
  const { support } = asked.options;
  const hasSupport = stored !== null && encoder !== null && asked.preset !== 'published';
  const same = hasSupport ? sameLevel(encoder.profile.calibration, share) : support.same;
  const options = { ...asked.options, support: { ...support, same } };
  const { kept, known } = passing(relevance, asked.gate, stored, ranking !== null);
  const isAuto = asked.options.size === 'auto';
  const auto =
    stored !== null && isAuto ? await digests.readAutoSize(stored) : { points: DEFAULT_KEY_POINTS, words: null };
  const settings: SelectionSettings = {
    share,
    background: encoder === null ? [] : await backgroundStatements(query, encoder, engine),
    relevance: Float64Array.from(kept, (i) => relevance[i]),
    words: Int32Array.from(kept, (i) => items.words[i]),
    factors: Float64Array.from(kept, (i) => (asked.usesFactors ? (stored?.quality[i] ?? 1) : 1)),
    auto: {
      points: (passes ?? stored) !== null && options.strategy !== 'k-dpp' ? auto.points : null,
      words: auto.words,
    },
    eligible: passes !== null && isAuto ? Uint8Array.from(kept, (i) => passes[i]) : null,
    room: null,
  };
  const { similarity, idf } = options.kernel;
  const parts = encoder && stored && [cache.scope, stored.digest, encoder.profile.id, similarity, idf];
  return {
    items,
    resolved: { ...asked, options },
    encoder,
    relevanceEncoder,
    query,
    relevance,
    kept,
    known,
    settings,
    /** Cache key of the similarities of a digest's points; null for other items. */
    key: parts && JSON.stringify([...parts, isAround ? around?.profile.id : null, contentHash(kept.join())]),
    selectable: async (): Promise<SelectionItems> => {
      const vectors = await context();
      return {
        ...(await sourceOf(request, items, encoder, kept, similarity, deps)),
        context: vectors && kept.map((i) => vectors[i]),
        documents: Int32Array.from(kept, (i) => items.documents[i]),
      };
    },
    warnings: warningsOf(items, query, relevanceEncoder),
  };
}

function encoderFor({ engine }: SelectionsRequest, { stored }: GivenItems, deps: DigestDeps): Encoder {
  if (engine?.encoder === undefined && stored !== null) {
    const same = encoderWithId(deps.engine, stored.encoder);
    if (same !== undefined) return same;
  }
  return knownEncoder(deps.engine, engine?.encoder, '/engine/encoder');
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
    maxPast: Number.POSITIVE_INFINITY,
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

/** `isRanked` if an intent replaces the relevance of the stored digest. */
function passing(
  relevance: Float64Array,
  gate: number | null,
  stored: StoredPoints | null,
  isRanked: boolean,
): { readonly kept: readonly number[]; readonly known: ReadonlySet<number> } {
  if (stored === null || isRanked) return { kept: passGate(relevance, gate), known: new Set() };
  const past = stored.gate === gate ? stored.past : passGate(relevance, gate);
  return { kept: past.filter((i) => !stored.known.has(i)), known: stored.known };
}

async function sourceOf(
  { embeddings, kernel }: SelectionsRequest,
  { texts, encoded, hashes: own }: GivenItems,
  encoder: Encoder | null,
  kept: readonly number[],
  similarity: SelectionOptions['kernel']['similarity'],
  { cache }: DigestDeps,
): Promise<{ source: SelectionSource; hashes: readonly string[] }> {
  const hashes = kept.map((i) => own[i]);
  if (kernel !== undefined) return { source: { kind: 'kernel', values: partOf(kernel, kept) }, hashes };
  if (embeddings !== undefined) {
    return { source: { kind: 'vectors', vectors: kept.map((i) => unitVector(embeddings[i])) }, hashes };
  }
  if (encoder === null || texts === null) throw new TypeError('items without vectors need texts and an encoder');
  const read = kept.map((i) => encoded[i]);
  const { sentences } = await encodeTexts(encoder, cache, read);
  const statements = await encodedStatements(read, sentences, similarity, encoder, cache);
  return {
    source: { kind: 'statements', statements, texts: kept.map((i) => texts[i]) },
    hashes: read.map((text) => contentHash(text)),
  };
}

function partOf(kernel: readonly (readonly number[])[], kept: readonly number[]): Float64Array {
  const n = kept.length;
  const values = new Float64Array(n * n);
  kept.forEach((i, a) => {
    kept.forEach((j, b) => {
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
