import { ModelCallError } from '../../models/language/model-call-error.ts';
import { chooseWithModel } from '../../selection/strategies/choose-with-model.ts';
import type { SelectionOptions } from '../../contract/strategy-options.ts';
import type { Query } from '../rank/intent.ts';
import type { DigestPlan } from '../plan-digest.ts';
import type { Point } from '../extract/points.ts';
import { inRequestOrder, type ReadDocument } from '../extract/read-documents.ts';

/** What a language model had to say of the selection. */
export interface PointsChosen {
  /** Items among the gated points that a model chose; null where none was asked. */
  readonly chosen: readonly number[] | null;
  /** Options in the place of those asked for, where the model chose nothing. */
  readonly instead: Pick<SelectionOptions, 'strategy' | 'size'> | null;
  readonly lacking: boolean;
  readonly warnings: readonly string[];
}

const NOT_ASKED: PointsChosen = { chosen: null, instead: null, lacking: false, warnings: [] };
/** What selects where the model that was to do so chose nothing: the answer names it. */
const FALLBACK = { strategy: 'dpp-map', size: 'auto' } as const;

/** Has a model choose among the gated points, where the strategy is `llm`. */
export async function choosePoints(
  { chooser }: DigestPlan,
  query: Query,
  points: readonly (Point & { readonly relevance: number })[],
  documents: readonly ReadDocument[],
): Promise<PointsChosen> {
  if (chooser === null || points.length === 0) return { ...NOT_ASKED, chosen: chooser === null ? null : [] };
  const cited = new Set(points.map(({ documentIndex }) => documentIndex));
  const articles = inRequestOrder(documents.filter((_, index) => cited.has(index)));
  try {
    const { chosen, unknown, notShown } = await chooseWithModel({
      model: chooser.model,
      prompt: chooser.prompts.select,
      question: query.text,
      points: points.map((point) => ({ ...point, place: documents[point.documentIndex].place })),
      articles: articles.map(({ document }) => document.text),
    });
    const warnings = [
      ...(unknown > 0 ? [`The model picked ${unknown} key points that it was not shown; they were refused.`] : []),
      ...(notShown > 0 ? [`The ${notShown} least relevant key points did not fit the model's prompt.`] : []),
    ];
    if (chosen.length > 0) return { chosen, instead: null, lacking: false, warnings };
    return failed('The model picked no key point that it was shown', warnings);
  } catch (failure) {
    if (!(failure instanceof ModelCallError)) throw failure;
    return failed(`The model that was to select failed: ${failure.message.replace(/\.$/, '')}`, []);
  }
}

function failed(why: string, warnings: readonly string[]): PointsChosen {
  const told = `${why}; the key points were selected by "${FALLBACK.strategy}" instead.`;
  return { chosen: null, instead: FALLBACK, lacking: true, warnings: [...warnings, told] };
}
