/** One score of a system, 0 to 100, by where the documents that matter stood in its input. */
interface ScoreByOrder {
  readonly top?: number | null | undefined;
  readonly bottom?: number | null | undefined;
  readonly random?: number | null | undefined;
}

/**
 * How far a score moves with the order of the documents: the larger distance of the two ordered runs from the one in
 * random order (Laban et al. 2024, on position bias).
 *
 * @returns in the unit of the scores; null where one of the three is missing
 */
export function positionSensitivity({ top, bottom, random }: ScoreByOrder): number | null {
  if (top == null || bottom == null || random == null) return null;
  return Math.max(Math.abs(top - random), Math.abs(bottom - random));
}
