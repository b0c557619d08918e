import { DEFAULT_KEY_POINTS, type SelectionsRequest } from '../../contract/index.ts';
import { type Encoder, encodeTexts, isReranker, type RelevanceScorer } from '../../models/index.ts';
import { passGate, symmetrise } from '../../selection/index.ts';
import { contentHash, languageName } from '../../text/index.ts';
import type { DigestDeps } from '../digest-deps.ts';
import { isForeign } from '../extract/languages.ts';
import { encodedText } from '../extract/points.ts';
import { sameLevel, similaritiesOf } from '../options.ts';
import { type Query, queryOf } from '../rank/intent.ts';
import type { Ranking } from '../rank/ranking-task.ts';
import { readFacets } from '../rank/read-facets.ts';
import { rankedSurroundings, storedSurroundings } from '../rank/surroundings-of.ts';
import { unitVector } from '../rank/unit-vector.ts';
import { encodedStatements } from './encoded-statements.ts';
import { type GivenItems, givenItems, type KeptDigests, type StoredPoints } from './given-items.ts';
import { encoderWithId, knownEncoder, knownScorer } from './known-encoder.ts';
import { backgroundStatements } from './select-points.ts';
import { type ResolvedSelection, resolveSelection } from './selection-options.ts';
import type { SelectionSettings, SelectionSource, SelectionTask } from './selection-task.ts';

/** Items with what is known of them before the selection. */
export interface PreparedSelection {
  readonly items: GivenItems;
  readonly resolved: ResolvedSelection;
  readonly encoder: Encoder | null;
  readonly relevanceEncoder: RelevanceScorer | null;
  readonly query: Query;
  readonly relevance: Float64Array;
  /** Items that are selected among, ascending: those past the gate, without those that are known. */
  readonly kept: readonly number[];
  /** Items that say what the reader of their digest knew. */
  readonly known: ReadonlySet<number>;
  readonly settings: SelectionSettings;
  /** Under which the similarities of a digest's points may be held; null for other items. */
  readonly key: string | null;
  /** Everything that the selection needs. */
  readonly task: () => Promise<SelectionTask>;
  readonly warnings: readonly string[];
}

/**
 * Reads the items, finds how relevant they are, and what the kernel is made of.
 *
 * @throws UnusableOptionError for an option that cannot be had here
 */
export async function prepareSelection(
  request: SelectionsRequest,
  deps: DigestDeps,
  digests: KeptDigests,
): Promise<PreparedSelection> {
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
    // A given kernel is compared by nothing.
    similarities:
      encoder !== null
        ? similaritiesOf(encoder.profile)
        : request.kernel === undefined
          ? ['cosine']
          : ['cosine', 'bertscore'],
    calibration: encoder?.profile.calibration ?? null,
  });
  const query = queryOf(request, asked.facets === true);
  const texts = items.texts?.map((text, i) => encodedText({ text, speaker: items.speakers[i] })) ?? null;
  const ranking =
    texts === null || relevanceEncoder === null || query.text === null
      ? null
      : await rankItems(items, texts, query, relevanceEncoder, asked, deps);
  const relevance = ranking?.values ?? givenRelevance(request, items);
  const { stored } = items;
  const passes = ranking?.passes ?? stored?.passes ?? null;
  const around =
    ranking !== null && relevanceEncoder !== null
      ? rankedSurroundings(ranking, relevanceEncoder)
      : storedSurroundings(items, texts ?? [], asked.surroundings, encoder, deps);
  const resolved = stored === null ? asked : inSurroundings(asked, around.share, encoder);
  const { kept, known } = passing(relevance, asked.gate, ranking === null ? stored : null);
  const auto =
    stored !== null && asked.options.size === 'auto'
      ? await digests.readAutoSize(stored)
      : { points: DEFAULT_KEY_POINTS, words: null };
  const settings: SelectionSettings = {
    share: around.share,
    background: encoder === null ? [] : await backgroundStatements(query, encoder, engine),
    relevance: Float64Array.from(kept, (i) => relevance[i]),
    words: Int32Array.from(kept, (i) => items.words[i]),
    factors: Float64Array.from(kept, (i) => (asked.usesFactors ? (stored?.quality[i] ?? 1) : 1)),
    auto: {
      points: (passes ?? stored) !== null && asked.options.strategy !== 'k-dpp' ? auto.points : null,
      words: auto.words,
    },
    eligible: passes !== null && asked.options.size === 'auto' ? Uint8Array.from(kept, (i) => passes[i]) : null,
    room: null,
  };
  const { similarity, idf } = resolved.options.kernel;
  return {
    items,
    resolved,
    encoder,
    relevanceEncoder,
    query,
    relevance,
    kept,
    known,
    settings,
    key:
      encoder === null || stored === null
        ? null
        : JSON.stringify([
            cache.scope,
            stored.digest,
            encoder.profile.id,
            similarity,
            idf,
            around.encoder,
            kept.length === items.order.length ? 'all' : contentHash(kept.join()),
          ]),
    task: async () => {
      const vectors = await around.vectors();
      const { share: _, ...rest } = settings;
      return {
        ...rest,
        ...(await sourceOf(request, items, texts, encoder, kept, resolved, deps)),
        context: vectors && { vectors: kept.map((i) => vectors[i]), share: around.share },
        documents: Int32Array.from(kept, (i) => items.documents[i]),
      };
    },
    warnings: warningsOf(items, query, relevanceEncoder),
  };
}

/** Support among the points of a digest, as the digest has it where its documents run on so far. */
function inSurroundings(resolved: ResolvedSelection, share: number, encoder: Encoder | null): ResolvedSelection {
  if (encoder === null || resolved.preset === 'published') return resolved;
  const { options } = resolved;
  const same = sameLevel(encoder.profile.calibration, share);
  return { ...resolved, options: { ...options, support: { ...options.support, same } } };
}

/**
 * The items past the gate, and those that are set aside.
 *
 * @param stored what a digest found of them, where its relevance stands
 */
function passing(
  relevance: Float64Array,
  gate: number | null,
  stored: StoredPoints | null,
): { readonly kept: readonly number[]; readonly known: ReadonlySet<number> } {
  const known = stored?.known ?? new Set();
  const past = stored !== null && stored.gate === gate ? stored.past : passGate(relevance, gate);
  return { kept: past.filter((i) => !known.has(i)), known };
}

/** The encoder that the request names, that a stored digest was made with, or the default. */
function encoderFor({ engine }: SelectionsRequest, { stored }: GivenItems, deps: DigestDeps): Encoder {
  if (engine?.encoder === undefined && stored !== null) {
    const same = encoderWithId(deps.engine, stored.encoder);
    if (same !== undefined) return same;
  }
  return knownEncoder(deps.engine, engine?.encoder, '/engine/encoder');
}

async function rankItems(
  { documents, texts: own, language: known }: GivenItems,
  texts: readonly string[],
  query: Query,
  encoder: RelevanceScorer,
  { surroundings, estimate }: ResolvedSelection,
  { engine, cache }: DigestDeps,
): Promise<Ranking> {
  const vectors = isReranker(encoder) ? [] : (await encodeTexts(encoder, cache, texts)).sentences;
  const foreign = isForeign(query.language, encoder) || isForeign(known, encoder) ? 1 : 0;
  return engine.rank({
    ...(await readFacets(query.facets, texts, encoder)),
    vectors,
    texts: own ?? [],
    under: texts.map(() => null),
    documents,
    foreign: new Uint8Array(texts.length).fill(foreign),
    surroundings,
    estimate,
    scale: isReranker(encoder) ? null : encoder.profile.calibration.relevance,
    gate: null,
    maxPast: Number.POSITIVE_INFINITY,
  });
}

/** Relevance that needs no encoder: scores, a query vector, what a stored digest found, or 1 for all. */
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

/** What the kernel is made of, for the items past the gate. */
async function sourceOf(
  { embeddings, kernel }: SelectionsRequest,
  items: GivenItems,
  texts: readonly string[] | null,
  encoder: Encoder | null,
  kept: readonly number[],
  { options }: ResolvedSelection,
  { cache }: DigestDeps,
): Promise<{ source: SelectionSource; hashes: readonly string[] }> {
  const hashes = kept.map((i) => items.hashes[i]);
  if (kernel !== undefined) return { source: { kind: 'kernel', values: partOf(kernel, kept) }, hashes };
  if (embeddings !== undefined) {
    return { source: { kind: 'vectors', vectors: kept.map((i) => unitVector(embeddings[i])) }, hashes };
  }
  if (encoder === null || texts === null) throw new TypeError('items without vectors need texts and an encoder');
  const own = kept.map((i) => texts[i]);
  const { sentences } = await encodeTexts(encoder, cache, own);
  const statements = await encodedStatements({ texts: own, sentences }, options.kernel.similarity, encoder, cache);
  return {
    source: { kind: 'statements', statements, texts: kept.map((i) => items.texts?.[i] ?? '') },
    hashes: own.map((text) => contentHash(text)),
  };
}

/** The rows and columns of a kernel, exactly symmetric. */
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
  if (texts === null || encoder === null) return [];
  const foreign = [known, query.language].filter((each) => isForeign(each, encoder));
  return foreign.length === 0
    ? []
    : [
        `Items or intent are in ${[...new Set(foreign)].map(languageName).join(', ')}, which the encoder "${encoder.profile.id}" does not support; relevance is based on shared words.`,
      ];
}
