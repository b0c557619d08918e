import { contentStems } from '../../selection/kernel/content-words.ts';
import { wordRecall } from '../../selection/kernel/word-recall.ts';
import { tidy } from '../../text/key-points/tidy.ts';
import { countWords } from '../../text/key-points/words.ts';
import { withoutUnseen } from '../../models/language/as-data.ts';
import { unsupportedNames } from '../../summary/verify/names.ts';
import { unsupportedNumbers } from '../../summary/verify/numbers.ts';

/**
 * Share of the content words of a statement that must stand in the points that it sums up. One in four may be new: a synonym,
 * or what joins two of them. A model that was asked to add nothing and whose words are new beyond that tells something else.
 */
const SUPPORTED = 0.75;
/** A statement of more words is a passage, or a model that does not stop. */
const MOST_WORDS = 80;

/** What a model wrote for several points, as a reader should see it. */
export function tidyText(text: string): string {
  return tidy(withoutUnseen(text));
}

/**
 * Whether a statement says what some points say, and nothing else, as far as words tell: theirs, with no number and no
 * name of its own, and not a mere label, of less than half the words of the shortest.
 */
export function isSupported(statement: string, points: readonly string[]): boolean {
  if (!/[\p{L}\p{N}]/u.test(statement) || countWords(statement) > MOST_WORDS) return false;
  if (2 * countWords(statement) < Math.min(...points.map(countWords))) return false;
  if (unsupportedNumbers(statement, points).length > 0) return false;
  if (unsupportedNames({ text: statement, quotes: points }).length > 0) return false;
  const content = contentStems(statement);
  return wordRecall(statement, points, (stem) => Number(content.has(stem))) >= SUPPORTED;
}
