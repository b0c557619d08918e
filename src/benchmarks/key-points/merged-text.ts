import { STOP_WORDS } from '../../kernel/stop-words.ts';
import { wordRecall } from '../../kernel/word-recall.ts';
import { tidy } from '../../keypoints/tidy.ts';
import { countWords } from '../../keypoints/words.ts';
import { withoutUnseen } from '../../language-models/as-data.ts';

/**
 * Share of the content words of a statement that must stand in the points that it sums up. One in four may be new: a synonym,
 * or what joins two of them. A model that was asked to add nothing and whose words are new beyond that tells something else.
 */
const SUPPORTED = 0.75;
/**
 * Share of the content words of a point, or of the text that takes its place, that must stand in the other. Two statements
 * of one thing name alike at least what they speak of, which is a third of a short sentence; a point that shares less would
 * be lost.
 */
const TOLD = 1 / 3;
/** A statement of more words is a passage, or a model that does not stop. */
const MOST_WORDS = 80;

const FIGURE = /\p{N}+(?:[.,]\p{N}+)*/gu;

/** What a model wrote for several points, as a reader should see it. */
export function tidyText(text: string): string {
  return tidy(withoutUnseen(text));
}

/**
 * Whether a statement says what some points say, and nothing else, as far as words tell: theirs, with no figure of its own,
 * and not a mere label, of less than half the words of the shortest.
 */
export function isSupported(statement: string, points: readonly string[]): boolean {
  if (!/[\p{L}\p{N}]/u.test(statement) || countWords(statement) > MOST_WORDS) return false;
  if (2 * countWords(statement) < Math.min(...points.map(countWords))) return false;
  const figures = new Set(points.flatMap((point) => point.match(FIGURE) ?? []));
  const hasOthers = (statement.match(FIGURE) ?? []).some((figure) => !figures.has(figure));
  return !hasOthers && wordRecall(statement, points, contentWeight) >= SUPPORTED;
}

/** Whether a point is told where a statement takes its place. */
export function isTold(point: string, statement: string): boolean {
  return [wordRecall(point, [statement], contentWeight), wordRecall(statement, [point], contentWeight)].some(
    (recall) => recall >= TOLD,
  );
}

function contentWeight(word: string): number {
  return STOP_WORDS.has(word) ? 0 : 1;
}
