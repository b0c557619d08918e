import { type Encoder, encodedTokens, type WorkCache } from '../../models/index.ts';
import { type AutoSize, chooseWithModel, LEVEL, type SelectionOptions } from '../../selection/index.ts';
import {
  countWords,
  type Frame,
  framingReserve,
  maxWording,
  sentenceLimit,
  seriesOf,
  titlePrefix,
} from '../../summary/index.ts';
import { contentHash, counted } from '../../text/index.ts';
import type { Engine } from '../engine.ts';
import type { Reading } from '../extract/extract.ts';
import { encodedText, type Point, qualityOf } from '../extract/points.ts';
import { inRequestOrder, type ReadDocument, readableDocuments } from '../extract/read-documents.ts';
import type { Plan } from '../plan.ts';
import type { Query } from '../rank/query.ts';
import type { DigestRanking } from '../rank/rank-points.ts';
import type { Question } from '../rank/split-intent.ts';
import { type DigestDeps, orInstead, type Run } from '../run.ts';
import type { EncodedStatement, SelectionItems, SelectionSettings } from './selection-task.ts';

/** Its items are the points in `candidates`: those that the gate kept, without what the reader knows. */
export type Selected = Awaited<ReturnType<typeof select>>;

export async function select(
  run: Run,
  plan: Plan,
  { documents, points, vectors }: Reading,
  { asked }: Question,
  ranking: DigestRanking,
) {
  const { writer, extractor, naive, readsWhole } = plan;
  const { kernelEncoder: encoder, maxWords, format, preset, strategy, auto, usesFactors } = plan.options;
  const wanted = plan.options.selection(ranking.surroundings);
  const background = await run.time('select', () => backgroundStatements(asked, encoder, run.engine));
  const familiar = await run.time('select', () => {
    const texts = ranking.kept.map((i) => encodedText(points[i]));
    const own = ranking.kept.map((i) => vectors[i]);
    return knownTexts(texts, own, background, encoder, wanted, run);
  });
  const known = new Set(ranking.kept.filter((_, place) => familiar.has(place)));
  const candidates = ranking.kept.filter((i) => !known.has(i));
  const items = candidates.map((i) => points[i]);
  const { chosen, instead, ...choice } = await run.step('select', 'choose', ranking.key, () =>
    choosePoints(
      run,
      plan,
      asked.text,
      items.map((point, item) => ({ ...point, relevance: ranking.values[candidates[item]] })),
      documents,
    ),
  );
  // Whether a writer chooses among the selected points instead of using all.
  const feedsWriter = writer !== null && wanted.size === 'auto' && preset === 'default';
  const options = { ...wanted, ...instead, ...(feedsWriter && { refine: false }) };
  const choosesAll = feedsWriter && !readsWhole;
  const eligible = eligibleItems(candidates, ranking, options.size === 'auto' && asked.text !== null, choosesAll);
  const texts = items.map(encodedText);
  const settings = await run.time('select', (): SelectionSettings => {
    const series = seriesOf(documents.map(({ document }) => document));
    const frame: Frame = { intent: ranking.intent, format, documents: readableDocuments(documents) };
    return {
      share: ranking.surroundings,
      background,
      relevance: Float64Array.from(candidates, (i) => ranking.values[i]),
      words: Int32Array.from(items, (point) => wordsOf(point, documents, series, extractor.isModel)),
      factors: Float64Array.from(items, (point) => (usesFactors ? qualityOf(point, documents) : 1)),
      auto: feedsWriter
        ? readsWhole
          ? CHECKLIST
          : materialFor(writer.model.contextTokens)
        : { ...auto, ...(strategy === 'k-dpp' && { points: null }) },
      eligible,
      // The writer applies the limit itself.
      room:
        writer === null
          ? { maxWords, reserve: framingReserve(frame), picks: naive === null ? sentenceLimit(format) : null }
          : null,
      chosen,
    };
  });
  const selection = await run.step('select', 'select', [ranking.key, options, chosen], async () => {
    const sentences = candidates.map((i) => vectors[i]);
    const statements = await encodedStatements(texts, sentences, options.kernel.similarity, encoder, run.cache);
    const selectable: SelectionItems = {
      source: { kind: 'statements', statements, texts: items.map(({ text }) => text) },
      documents: Int32Array.from(items, ({ documentIndex }) => documentIndex),
      hashes: texts.map((text) => contentHash(text)),
      context: ranking.context?.filter((_, place) => !familiar.has(place)) ?? null,
    };
    return run.engine.select({ items: selectable, settings }, options, run.signal);
  });
  return { ...choice, candidates, known, eligible, options, feedsWriter, selection };
}

/** A writer chooses helpful points better than an encoder, but not better than a model that graded them. */
function eligibleItems(
  candidates: readonly number[],
  { eligible, values, isGraded }: DigestRanking,
  isAuto: boolean,
  choosesAll: boolean,
): Uint8Array | null {
  if (choosesAll) return isGraded ? Uint8Array.from(candidates, (i) => Number(values[i] > LEVEL.absolute)) : null;
  return isAuto ? Uint8Array.from(candidates, (i) => eligible[i]) : null;
}

/** Material for one page: several times its length, so that facts of several sources can be combined. */
const MATERIAL = { points: 200, words: 3000 };
/** What must not be missed by a writer who reads the documents whole. */
const CHECKLIST: AutoSize = { points: 40, words: 600 };
/** Words of points per token of a writer's context: a quarter of it, including number and speaker. */
const WORDS_PER_TOKEN = 0.15;

function materialFor(contextTokens: number): AutoSize {
  const words = Math.min(MATERIAL.words, Math.floor(WORDS_PER_TOKEN * contextTokens));
  // Of two similar points, only one may contain the decisive word.
  return { points: MATERIAL.points, words, fills: true };
}

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

interface PointsChosen {
  readonly chosen: readonly number[] | null;
  readonly instead: Pick<SelectionOptions, 'strategy' | 'size'> | null;
  readonly isDegraded: boolean;
  readonly warnings: readonly string[];
}

const NOT_ASKED: PointsChosen = { chosen: null, instead: null, isDegraded: false, warnings: [] };
const FALLBACK = { strategy: 'dpp-map', size: 'auto' } as const;

async function choosePoints(
  run: Run,
  { chooser, options }: Plan,
  question: string | null,
  points: readonly (Point & { readonly relevance: number })[],
  documents: readonly ReadDocument[],
): Promise<PointsChosen> {
  if (chooser === null) return NOT_ASKED;
  if (points.length === 0) return { ...NOT_ASKED, chosen: [] };
  const notChosen = (why: string, warnings: readonly string[] = []): PointsChosen => ({
    chosen: null,
    instead: FALLBACK,
    isDegraded: true,
    warnings: [...warnings, `${why}; the key points were selected by "${FALLBACK.strategy}" instead.`],
  });
  const cited = new Set(points.map(({ documentIndex }) => documentIndex));
  const articles = inRequestOrder(documents.filter((_, index) => cited.has(index)));
  const byModel = async (): Promise<PointsChosen> => {
    const { chosen, unknown, notShown, cutArticles } = await chooseWithModel({
      model: chooser.model,
      prompt: chooser.prompts.select,
      question,
      points: points.map((point) => ({ ...point, place: documents[point.documentIndex].place })),
      articles: articles.map(({ document }) => document.text),
      fillsContext: options.preset === 'published',
    });
    const hidden = question === null ? '' : 'The least relevant: ';
    const cut = `${cutArticles} of ${counted(articles.length, 'document')} in full, for lack of room in its prompt.`;
    const warnings = [
      ...(unknown > 0 ? [`The model selected ${counted(unknown, 'key point')} not in the list; ignored.`] : []),
      ...(notShown > 0 ? [`${hidden}${counted(notShown, 'key point')} did not fit the model's prompt.`] : []),
      ...(cutArticles > 0 ? [`The model that selected was not shown ${cut}`] : []),
    ];
    if (chosen.length > 0) return { ...NOT_ASKED, chosen, warnings };
    return notChosen('The model selected no key point of the list', warnings);
  };
  return orInstead(run, 'select', byModel, (why) => notChosen(`Selecting by the language model failed: ${why}`));
}

const NO_TOKENS = { tokens: new Int8Array(0), tokenIds: new Int32Array(0) };

/** Encoded texts for the kernel; reads token vectors only for `bertscore`. `vectors` has one sentence vector per text. */
export async function encodedStatements(
  texts: readonly string[],
  vectors: readonly Float32Array[],
  similarity: SelectionOptions['kernel']['similarity'],
  encoder: Encoder,
  cache: WorkCache,
): Promise<EncodedStatement[]> {
  const tokens = similarity === 'cosine' ? null : await encodedTokens(encoder, cache, texts);
  // A view would transfer its whole buffer to another thread.
  return vectors.map((vector, i) => ({ ...(tokens?.[i] ?? NO_TOKENS), sentence: vector.slice() }));
}

/** Encodes the background and the earlier digest. Not cached, since they are private to the reader. */
export async function backgroundStatements(
  { background, earlier }: Pick<Query, 'background' | 'earlier'>,
  encoder: Encoder,
  engine: Engine,
): Promise<EncodedStatement[]> {
  const own = background === null ? [] : (await engine.extract(background)).keyPoints;
  const known = [...own, ...(earlier?.points ?? [])];
  return known.length === 0 ? [] : encoder.encode(known.map(encodedText));
}

/** Indices of the texts that the reader already knows (docs/decisions/background.md); empty for a background weight of 0. */
async function knownTexts(
  texts: readonly string[],
  vectors: readonly Float32Array[],
  background: readonly EncodedStatement[],
  encoder: Encoder,
  { kernel, background: { weight } }: SelectionOptions,
  { cache, engine }: Pick<DigestDeps, 'cache' | 'engine'>,
): Promise<ReadonlySet<number>> {
  if (background.length === 0 || weight === 0 || texts.length === 0) return new Set();
  const known = await engine.knownSimilarity({
    statements: await encodedStatements(texts, vectors, kernel.similarity, encoder, cache),
    background,
    similarity: kernel.similarity,
    idf: kernel.idf,
  });
  const { same, familiar } = encoder.profile.calibration;
  const level = kernel.similarity === 'cosine' ? same : familiar;
  return new Set([...texts.keys()].filter((i) => known[i] >= level));
}
