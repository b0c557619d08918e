import type { SelectionOptions } from '../selection/options.ts';
import type { Selection } from '../selection/select.ts';
import { type Frame, framingReserve } from '../summary/framing.ts';
import { choosePoints, type PointsChosen } from './choose-points.ts';
import { familiarPoints } from './familiar-points.ts';
import type { Gathered } from './gather-points.ts';
import type { Query } from './intent.ts';
import type { Making } from './making.ts';
import type { Ranking } from './ranking-task.ts';
import { backgroundStatements, selectPoints } from './select-points.ts';
import { DEFAULT_KEY_POINTS } from './selection-options.ts';

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
}

/**
 * Selects among the points past the gate that the reader does not know.
 *
 * @param given names the points
 */
export async function selectStage(
  { plan, parts, steps, clock }: Making,
  { read: { documents }, points, encoded }: Gathered,
  { query, ranking, frame, given }: { query: Query; ranking: Ranking; frame: Frame; given: string },
): Promise<Selected> {
  const { kernelEncoder: encoder, maxWords, ...planned } = plan.options;
  const past = ranking.kept;
  const own = planned.selection(ranking.surroundings);
  const background = await clock.time('select', () => backgroundStatements(query, encoder, parts.engine));
  const familiar = await clock.time('select', () =>
    familiarPoints(
      { items: past, hashes: past.map((i) => encoded.hashes[i]), vectors: past.map((i) => encoded.sentences[i]) },
      background,
      encoder,
      own,
      parts,
    ),
  );
  const kept = past.filter((i) => !familiar.has(i));
  const choice = await clock.time('select', () =>
    steps.step('choose', [query, given, kept], () => {
      const candidates = kept.map((i) => ({ ...points[i], relevance: ranking.values[i] }));
      return choosePoints(plan, query, candidates, documents);
    }),
  );
  const options = { ...own, ...choice.instead };
  const { context, surroundings: share } = ranking;
  const isBounded = options.size === 'auto' && query.text !== null;
  const eligible = isBounded ? Uint8Array.from(kept, (i) => ranking.passes[i]) : null;
  const selection = await clock.time('select', () =>
    steps.step('select', [query, given, kept, options, choice.chosen], () =>
      selectPoints(
        {
          points: kept.map((i) => points[i]),
          hashes: kept.map((i) => encoded.hashes[i]),
          vectors: kept.map((i) => encoded.sentences[i]),
          relevance: Float64Array.from(kept, (i) => ranking.values[i]),
          documents,
          background,
          encoder,
          usesFactors: planned.usesFactors,
          context: context && { vectors: contextOf(context, ranking.kept, kept), share },
          auto: { points: planned.strategy === 'k-dpp' ? null : DEFAULT_KEY_POINTS, words: planned.autoWords },
          eligible,
          room: maxWords === null ? null : { maxWords, reserve: framingReserve(frame) },
          chosen: choice.chosen,
        },
        options,
        parts,
        plan.signal,
      ),
    ),
  );
  return { kept, eligible, familiar, choice, options, selection };
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
