import { isTold } from './is-told.ts';
import { isSupported, tidyText } from './merged-text.ts';
import type { PlacedPoint } from './placed-point.ts';

/** Points that state the same. */
export interface PointGroup extends PlacedPoint {
  /** Places of the points, from 0, rising. */
  readonly members: readonly number[];
}

/** What became of points that a model says state the same. */
export interface MergedPoints {
  /** Those that do under one text, at least two; empty where none do. */
  readonly together: readonly PointGroup[];
  /** Empty where there is nothing together. */
  readonly text: string;
  /** Those that the text does not tell. */
  readonly apart: readonly PointGroup[];
  /** Whether the text is that of the first, as what the model wrote tells something else. */
  readonly isReworded: boolean;
}

/**
 * Puts points together under the statement that a model gave for them, where the statement rests on them; else under the
 * text of the first. A point that this text does not tell stays apart: a model that puts everything into one group must not
 * cost the points.
 *
 * @param textsOf texts of the points of a group as they were extracted
 */
export function mergeGroup(
  given: string,
  groups: readonly PointGroup[],
  textsOf: (group: PointGroup) => readonly string[],
): MergedPoints {
  const under = (text: string): MergedPoints => {
    // Of a group that was merged before, each point: else its text might lead from one statement to the next.
    const isTogether = new Map(
      groups.map((group) => [group, [group.text, ...textsOf(group)].every((each) => isTold(each, text))]),
    );
    return {
      together: groups.filter((group) => isTogether.get(group)),
      text,
      apart: groups.filter((group) => !isTogether.get(group)),
      isReworded: false,
    };
  };
  const written = tidyText(given);
  const merged = under(written);
  if (merged.together.length > 1 && isSupported(written, merged.together.flatMap(textsOf))) return merged;
  const [first, ...others] = groups;
  const own = { ...under(first.text), isReworded: true };
  if (own.together.length > 1) return own;
  return { together: [], text: '', apart: [first, ...others], isReworded: false };
}
