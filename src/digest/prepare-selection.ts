import { language } from '../documents/language.ts';
import { encodeTexts } from '../encoders/encoded-texts.ts';
import type { Encoder } from '../encoders/encoder.ts';
import { isReranker, type RelevanceScorer } from '../encoders/reranker.ts';
import { passGate } from '../kernel/gate.ts';
import { symmetrise } from '../kernel/kernel.ts';
import type { DigestParts } from './digest-parts.ts';
import { encodedStatements } from './encoded-statements.ts';
import { type GivenItems, givenItems } from './given-items.ts';
import { type Query, queryOf } from './intent.ts';
import { knownEncoder, knownScorer } from './known-encoder.ts';
import { isForeign } from './languages.ts';
import { similaritiesOf } from './options.ts';
import { encodedText } from './points.ts';
import type { Ranking } from './ranking-task.ts';
import { readFacets } from './read-facets.ts';
import { backgroundStatements } from './select-points.ts';
import { type ResolvedSelection, resolveSelection } from './selection-options.ts';
import type { SelectionSource, SelectionTask } from './selection-task.ts';
import type { SelectionsRequest } from './selections-request.ts';
import { unitVector } from './unit-vector.ts';

/** Items with what is known of them before the selection. */
export interface PreparedSelection {
  readonly items: GivenItems;
  readonly resolved: ResolvedSelection;
  readonly encoder: Encoder | null;
  readonly relevanceEncoder: RelevanceScorer | null;
  readonly query: Query;
  readonly relevance: Float64Array;
  readonly surroundings: number;
  /** Items past the gate, ascending. */
  readonly kept: readonly number[];
  readonly task: SelectionTask;
  readonly warnings: readonly string[];
}

/**
 * Reads the items, finds how relevant they are, and what the kernel is made of.
 *
 * @throws UnusableOptionError for an option that cannot be had here
 */
export async function prepareSelection(request: SelectionsRequest, parts: DigestParts): Promise<PreparedSelection> {
  const { engine, database } = parts;
  const items = await givenItems(request, database);
  const encoder = items.texts === null ? null : encoderFor(request, items, parts);
  const resolved = resolveSelection(request.selection ?? {}, {
    gate: null,
    surroundings: 0,
    coverageWeight: 0,
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
  const query = queryOf(request, resolved.facets === true);
  const asked = request.selection?.relevance?.encoder ?? undefined;
  const relevanceEncoder = asked === undefined ? encoder : knownScorer(engine, asked, '/selection/relevance/encoder');
  const texts = items.texts?.map((text, i) => encodedText({ text, speaker: items.speakers[i] })) ?? null;
  const ranking =
    texts === null || relevanceEncoder === null || query.text === null
      ? null
      : await rankItems(items, texts, query, relevanceEncoder, resolved, parts);
  const relevance = ranking?.values ?? givenRelevance(request, items);
  const kept = passGate(relevance, resolved.gate);
  const { source, hashes } = await sourceOf(request, items, texts, encoder, kept, resolved, parts);
  const { context } = ranking ?? {};
  return {
    items,
    resolved,
    encoder,
    relevanceEncoder,
    query,
    relevance,
    surroundings: ranking?.surroundings ?? 0,
    kept,
    task: {
      source,
      hashes,
      context: context ? { vectors: kept.map((i) => context[i]), share: ranking?.surroundings ?? 0 } : null,
      background: encoder === null ? [] : await backgroundStatements(query, encoder, engine),
      relevance: Float64Array.from(kept, (i) => relevance[i]),
      documents: Int32Array.from(kept, (i) => items.documents[i]),
      words: Int32Array.from(kept, (i) => items.words[i]),
      factors: new Float64Array(kept.length).fill(1),
      autoWords: null,
      room: null,
    },
    warnings: warningsOf(items, query, relevanceEncoder),
  };
}

/** The encoder that the request names, that a stored digest was made with, or the default. */
function encoderFor({ engine }: SelectionsRequest, { stored }: GivenItems, parts: DigestParts): Encoder {
  if (engine?.encoder === undefined && stored !== null) {
    const same = [...parts.engine.encoders.values()].find(({ profile }) => profile.id === stored.encoder);
    if (same !== undefined) return same;
  }
  return knownEncoder(parts.engine, engine?.encoder, '/engine/encoder');
}

async function rankItems(
  { speakers, documents, texts: own }: GivenItems,
  texts: readonly string[],
  query: Query,
  encoder: RelevanceScorer,
  { surroundings, centred }: ResolvedSelection,
  { engine, database }: DigestParts,
): Promise<Ranking> {
  const vectors = isReranker(encoder) ? [] : (await encodeTexts(encoder, database, texts)).sentences;
  const foreign = isForeign(query.language, encoder) || isForeign(language((own ?? []).join('\n')), encoder) ? 1 : 0;
  return engine.rank({
    ...(await readFacets(query.facets, texts, encoder)),
    vectors,
    texts: own ?? [],
    speakers,
    documents,
    foreign: new Uint8Array(texts.length).fill(foreign),
    surroundings,
    centred,
    gate: null,
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
  { database }: DigestParts,
): Promise<{ source: SelectionSource; hashes: readonly string[] }> {
  const hashes = kept.map((i) => items.hashes[i]);
  if (kernel !== undefined) return { source: { kind: 'kernel', values: partOf(kernel, kept) }, hashes };
  if (embeddings !== undefined) {
    return { source: { kind: 'vectors', vectors: kept.map((i) => unitVector(embeddings[i])) }, hashes };
  }
  if (encoder === null || texts === null) throw new TypeError('items without vectors need texts and an encoder');
  const encoded = await encodeTexts(
    encoder,
    database,
    kept.map((i) => texts[i]),
  );
  const statements = await encodedStatements(encoded, options.kernel.similarity, encoder, database);
  return {
    source: { kind: 'statements', statements, texts: kept.map((i) => items.texts?.[i] ?? '') },
    hashes: encoded.hashes,
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

function warningsOf({ texts }: GivenItems, query: Query, encoder: RelevanceScorer | null): string[] {
  if (texts === null || encoder === null) return [];
  const known = language(texts.join('\n'));
  const foreign = [known, query.language].filter((each) => isForeign(each, encoder));
  return foreign.length === 0
    ? []
    : [
        `Items or intent are in a language (${[...new Set(foreign)].join(', ')}), which the encoder "${encoder.profile.id}" does not know; relevance rests on shared words.`,
      ];
}
