import { ModelCallError } from '../../models/index.ts';
import {
  type AutoSize,
  chooseWithModel,
  LEVEL,
  type Selection,
  type SelectionOptions,
  strategies,
} from '../../selection/index.ts';
import { type Frame, framingReserve, type Held, sentenceLimit } from '../../summary/index.ts';
import type { DigestContext } from '../digest-context.ts';
import type { EncodedPoints } from '../extract/extract-and-encode.ts';
import { encodedText, type Point } from '../extract/points.ts';
import { inRequestOrder, type ReadDocument } from '../extract/read-documents.ts';
import { holdPicks } from '../hold-picks.ts';
import type { DigestPlan } from '../plan-digest.ts';
import type { Query } from '../rank/intent.ts';
import { knownPoints } from '../rank/known-points.ts';
import type { Ranking } from '../rank/ranking-task.ts';
import { backgroundStatements, selectPoints } from './select-points.ts';

/** What a language model had to say of the selection. */
interface PointsChosen {
  /** Items among the gated points that a model chose; null where none was asked. */
  readonly chosen: readonly number[] | null;
  /** Options in the place of those asked for, where the model chose nothing. */
  readonly instead: Pick<SelectionOptions, 'strategy' | 'size'> | null;
  readonly isDegraded: boolean;
  readonly warnings: readonly string[];
}

const NOT_ASKED: PointsChosen = { chosen: null, instead: null, isDegraded: false, warnings: [] };
/** What selects where the model that was to do so chose nothing: the answer names it. */
const FALLBACK = { strategy: 'dpp-map', size: 'auto' } as const;

/** Has a model choose among the gated points, where the strategy is `llm`. */
async function choosePoints(
  { chooser, options }: DigestPlan,
  query: Query,
  points: readonly (Point & { readonly relevance: number })[],
  documents: readonly ReadDocument[],
): Promise<PointsChosen> {
  if (chooser === null || points.length === 0) return { ...NOT_ASKED, chosen: chooser === null ? null : [] };
  const cited = new Set(points.map(({ documentIndex }) => documentIndex));
  const articles = inRequestOrder(documents.filter((_, index) => cited.has(index)));
  try {
    const { chosen, unknown, notShown, cutArticles } = await chooseWithModel({
      model: chooser.model,
      prompt: chooser.prompts.select,
      question: query.text,
      points: points.map((point) => ({ ...point, place: documents[point.documentIndex].place })),
      articles: articles.map(({ document }) => document.text),
      fillsContext: options.preset === 'published',
    });
    const warnings = [
      ...(unknown > 0 ? [`The model selected ${unknown} key points that are not in the list; they were ignored.`] : []),
      ...(notShown > 0
        ? [
            `${query.text === null ? notShown : `The ${notShown} least relevant`} key points did not fit the model's prompt.`,
          ]
        : []),
      ...(cutArticles > 0
        ? [
            `The model that selected was not shown ${cutArticles} of ${articles.length} documents in full: they did not fit its prompt.`,
          ]
        : []),
    ];
    if (chosen.length > 0) return { chosen, instead: null, isDegraded: false, warnings };
    return failed('The model selected no key point of the list', warnings);
  } catch (failure) {
    if (!(failure instanceof ModelCallError)) throw failure;
    return failed(`Selecting by the language model failed: ${failure.message.replace(/\.$/, '')}`, []);
  }
}

function failed(why: string, warnings: readonly string[]): PointsChosen {
  const warning = `${why}; the key points were selected by "${FALLBACK.strategy}" instead.`;
  return { chosen: null, instead: FALLBACK, isDegraded: true, warnings: [...warnings, warning] };
}

export interface Selected {
  /** Indices of the points that the selection saw. */
  readonly kept: readonly number[];
  /** 1 for those of them that are relevant enough to be told; null where all might be. */
  readonly eligible: Uint8Array | null;
  /** Indices of the points that say what the reader knows. */
  readonly familiar: ReadonlySet<number>;
  readonly choice: PointsChosen;
  readonly options: SelectionOptions;
  readonly selection: Selection;
  /** How picks stand whose wording was held against their quotes already, by item. */
  readonly held: ReadonlyMap<number, Held>;
  /** Why a judge failed that was asked for that; null where none did. */
  readonly unjudged: string | null;
  /** Items that others took the place of, since their wording does not stand, with what would have stood for them. */
  readonly replaced: ReadonlyMap<number, Held>;
  /** Whether the points are what a writer chooses from, rather than what is told. */
  readonly feedsWriter: boolean;
}

/**
 * Selects among the points past the gate that the reader does not know.
 *
 * @param given names the points
 */
export async function selectStage(
  { plan, deps, steps, clock }: DigestContext,
  gathered: EncodedPoints,
  {
    query,
    ranking,
    isGraded,
    frame,
    given,
  }: { query: Query; ranking: Ranking; isGraded: boolean; frame: Frame; given: string },
): Promise<Selected> {
  const { read, points, encoded } = gathered;
  const { documents } = read;
  const { kernelEncoder: encoder, maxWords, ...planned } = plan.options;
  const past = ranking.kept;
  const own = planned.selection(ranking.surroundings);
  const background = await clock.time('select', () => backgroundStatements(query, encoder, deps.engine));
  const familiar = await clock.time('select', () =>
    knownPoints(
      { items: past, texts: past.map((i) => encodedText(points[i])), vectors: past.map((i) => encoded.sentences[i]) },
      background,
      encoder,
      own,
      deps,
    ),
  );
  const kept = past.filter((i) => !familiar.has(i));
  const choice = await clock.time('select', () =>
    steps.step('choose', [query, given, kept], () => {
      const candidates = kept.map((i) => ({ ...points[i], relevance: ranking.values[i] }));
      return choosePoints(plan, query, candidates, documents);
    }),
  );
  const { context, surroundings: share } = ranking;
  const feedsWriter = plan.writer !== null && own.size === 'auto' && planned.preset === 'default';
  const options = { ...own, ...choice.instead, ...(feedsWriter && { refine: false }) };
  const isBounded = options.size === 'auto' && query.text !== null && !feedsWriter;
  // A writer chooses better than an encoder what helps, but not than a model that read the points to grade them.
  const mayFeed = feedsWriter && isGraded ? (i: number) => Number(ranking.values[i] > LEVEL.absolute) : null;
  const mayBeTold = isBounded ? (i: number) => ranking.passes[i] : mayFeed;
  const eligible = mayBeTold && Uint8Array.from(kept, mayBeTold);
  /** @param without items that may not be picked */
  const select = (name: string, without: ReadonlySet<number>): Promise<Selection> =>
    clock.time('select', () =>
      steps.step(name, [query, given, kept, options, choice.chosen, [...without]], () =>
        selectPoints(
          {
            points: kept.map((i) => points[i]),
            vectors: kept.map((i) => encoded.sentences[i]),
            relevance: Float64Array.from(kept, (i) => ranking.values[i]),
            documents,
            background,
            encoder,
            usesFactors: planned.usesFactors,
            context: context && { vectors: contextOf(context, ranking.kept, kept), share },
            auto: feedsWriter
              ? materialFor(plan.writer?.model.contextTokens ?? 0)
              : { ...planned.auto, ...(planned.strategy === 'k-dpp' && { points: null }) },
            eligible:
              without.size === 0
                ? eligible
                : Uint8Array.from(kept, (_, item) => (without.has(item) ? 0 : (eligible?.[item] ?? 1))),
            isWorded: plan.extractor.isModel,
            // What a writer makes of its points is bounded as it comes.
            room:
              plan.writer === null
                ? {
                    maxWords,
                    reserve: framingReserve(frame),
                    picks: plan.naive === null ? sentenceLimit(frame.format) : null,
                  }
                : null,
            chosen: choice.chosen,
          },
          options,
          deps,
          plan.signal,
        ),
      ),
    );
  const selected = { kept, eligible, familiar, choice, options, feedsWriter };
  const first = {
    ...selected,
    selection: await select('select', new Set()),
    held: NONE,
    unjudged: null,
    replaced: NONE,
  };
  const isQuoted = plan.extractor.isModel && plan.writer === null && plan.naive === null;
  if (!isQuoted || plan.verifier.mode !== 'judge' || !strategies[options.strategy].isSequential) return first;
  const { lost, ...holding } = await clock.time('select', () =>
    steps.step('hold', [given, kept, first.selection.picks], () =>
      holdPicks(first.selection, kept, gathered, plan.verifier),
    ),
  );
  if (lost.size === 0) return { ...first, ...holding };
  const again = await select('select-again', lost);
  // Where nothing takes its place, a quote says more than silence.
  if (again.picks.length < first.selection.picks.length) return { ...first, ...holding };
  // What is not so in one place bears out nothing in another.
  const near = again.nearest.near.map((each) => each.filter(({ item }) => !lost.has(item)));
  const replaced = new Map([...holding.held].filter(([item]) => lost.has(item)));
  return { ...selected, ...holding, selection: { ...again, nearest: { ...again.nearest, near } }, replaced };
}

const NONE: ReadonlyMap<number, Held> = new Map();

/** What a text of a page can be made from: several times what it holds, so that it can join the facts of several sources. */
const MATERIAL = { points: 200, words: 3000 };
/** Words of points for each token of a writer's context: a quarter of it, with the number and the speaker of each. */
const WORDS_PER_TOKEN = 0.15;

/** How much of it a writer of such a context is given. */
function materialFor(contextTokens: number): AutoSize {
  const words = Math.min(MATERIAL.words, Math.floor(WORDS_PER_TOKEN * contextTokens));
  // What two points say of one thing in like words may differ in the one word that was asked for.
  return { points: MATERIAL.points, words, fills: true };
}

/** Context vectors, which are there for the points past the gate, of those of them that are kept. */
function contextOf(
  vectors: readonly Float32Array[],
  past: readonly number[],
  kept: readonly number[],
): readonly Float32Array[] {
  const at = new Map(past.map((point, index) => [point, index]));
  return kept.map((point) => vectors[at.get(point) ?? 0]);
}
