import type { CoverageLevels } from '../../models/index.ts';
import { byText } from './by-text.ts';
import type { MatchTask } from './found-shares.ts';
import type { Scores } from './match.ts';

/** How the parts of the embedded judge find one text in others. */
export interface Matching {
  readonly levels: CoverageLevels;
  find(tasks: readonly MatchTask[]): Promise<Scores[]>;
}

/**
 * Places of the passages that tell anything, from the best score on; where none does, one place. Among equals what they say
 * decides, never where they stand.
 */
export function ranked(scores: Scores, texts: readonly string[]): number[] {
  const positive = Array.from(scores.keys()).filter((place) => scores[place] > 0);
  if (positive.length > 0) return positive.sort((a, b) => scores[b] - scores[a] || byText(texts[a], texts[b]));
  return texts.length === 0 ? [] : [texts.reduce((first, text, place) => (text < texts[first] ? place : first), 0)];
}
