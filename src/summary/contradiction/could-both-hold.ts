import type { Comparison, Difference } from './compare-statements.ts';
import { oppositionOf } from './opposites.ts';
import type { Item, Statement } from './read-statement.ts';
import type { Token } from './tokens.ts';
import * as vocabulary from './vocabulary.ts';

/** Whether two statements that differ in one place can nevertheless both be true, or are not known to be of the same thing. */
export function couldBothHold(a: Statement, b: Statement, comparison: Comparison, difference: Difference): boolean {
  return (
    isUnanchored(a) ||
    isUnanchored(b) ||
    isHedged(a, b) ||
    differInMood(a, b, difference) ||
    isPersonal(a, b, difference) ||
    namesDifferentThings(a, difference.a) ||
    namesDifferentThings(b, difference.b) ||
    (difference.kind === 'number' && isOtherMeasure(a, b, comparison, difference)) ||
    (difference.kind === 'opposite' && isOtherSubject(a, b, comparison, difference))
  );
}

/** "It rose…", "This policy…": nobody knows here what is meant. */
function isUnanchored({ tokens }: Statement): boolean {
  const first = tokens[0]?.lower.split("'")[0] ?? '';
  // "More firms opened" and "more firms closed" are different firms; "more than half" is a number.
  const isUnnamed = /^(?:more|fewer|less|another)$/u.test(first) && tokens[1]?.lower !== 'than';
  return isUnnamed || (vocabulary.DANGLING_SUBJECTS.has(first) && first !== 'there');
}

function isHedged(a: Statement, b: Statement): boolean {
  return [a, b].some((statement) => hasAny(statement, vocabulary.HEDGES)) || hasAny(a, CAN) !== hasAny(b, CAN);
}

const CAN = new Set(['can', 'cannot', "can't", 'could', "couldn't"]);

/** What should be is not what is; what is forecast is not what came. */
function differInMood(a: Statement, b: Statement, difference: Difference): boolean {
  if (hasAny(a, vocabulary.OBLIGATIONS) !== hasAny(b, vocabulary.OBLIGATIONS)) return true;
  return difference.kind !== 'opposite' && hasAny(a, vocabulary.FORECASTS) !== hasAny(b, vocabulary.FORECASTS);
}

/** "We hired 20 people" in two documents are two "we"; what someone supports or demands can still be opposed. */
function isPersonal(a: Statement, b: Statement, difference: Difference): boolean {
  if (![a, b].some((statement) => hasAny(statement, vocabulary.FIRST_PERSONS))) return false;
  const isStance = (statement: Statement) =>
    hasAny(statement, vocabulary.OBLIGATIONS) || hasAny(statement, vocabulary.STANCES);
  return difference.kind === 'number' || !isStance(a) || !isStance(b);
}

/** The difference lies in "who", "if" or "when": the statements are of different people or cases. */
function namesDifferentThings({ items, tokens }: Statement, at: number): boolean {
  const item = items[at];
  if (!item) return false;
  return item.relative || isSubjectWithout(tokens, item);
}

/** "Cities without cars are quieter": without a verb before it, "without" says which cities. */
function isSubjectWithout(tokens: readonly Token[], item: Item): boolean {
  const at = tokens.slice(0, item.begin).findLastIndex((token) => token.lower === 'without' || token.lower === 'with');
  if (at < 0 || item.begin - at > 3) return false;
  return !tokens.slice(0, at).some(({ lower }) => vocabulary.AUXILIARIES.has(lower) || /[a-z]{2}ed$/u.test(lower));
}

function isOtherMeasure(a: Statement, b: Statement, comparison: Comparison, difference: Difference): boolean {
  const [left, right] = [a.items[difference.a] as Item, b.items[difference.b] as Item];
  const numbers = comparison.differences.filter((each) => each.kind === 'number');
  if (numbers.length > 1) return true;
  if (startsIndefinite(a) || startsIndefinite(b)) return true;
  if (isDeictic(a) || isDeictic(b)) return true;
  if ([a, b].some((statement) => hasAny(statement, vocabulary.SELF_REFERENCES))) return true;
  if (neighbour(a, difference.a, 1) !== neighbour(b, difference.b, 1) && !endsCore(comparison, difference)) return true;
  if (direction(a, left) !== direction(b, right)) return true;
  if (left.quantity?.unit === 'year' && !dated(a, difference.a)) return true;
  if (isCondition(a, left) || isCondition(b, right)) return true;
  return timesOutside(a, comparison.endA) !== timesOutside(b, comparison.endB);
}

/** "This year", "during the year", "ago": two documents can mean two times. */
function isDeictic({ tokens, text }: Statement): boolean {
  return (
    tokens.some((token) => vocabulary.DEICTICS.has(token.lower)) || /\bthe (?:year|month|quarter|day)\b/iu.test(text)
  );
}

/** "A survey of 500", "One firm": another one can differ. */
function startsIndefinite({ tokens }: Statement): boolean {
  return ['a', 'an', 'one'].includes(tokens[0]?.lower ?? '');
}

function endsCore(comparison: Comparison, difference: Difference): boolean {
  return difference.a === comparison.endA - 1 && difference.b === comparison.endB - 1;
}

/** The key of the next (1) or previous (-1) item that counts. */
function neighbour({ items }: Statement, at: number, step: 1 | -1): string | null {
  for (let i = at + step; i >= 0 && i < items.length; i += step) {
    const item = items[i] as Item;
    if (!item.soft) return item.key;
  }
  return null;
}

/** A year is contradicted only where it dates something that happens once: "was founded in 1998". */
function dated(statement: Statement, at: number): boolean {
  return vocabulary.ONE_TIME.has(neighbour(statement, at, -1) ?? '');
}

/** "Rose to 5" is another measure than "rose by 5". */
function direction({ tokens }: Statement, item: Item): string {
  const before = tokens[item.begin - 1]?.lower ?? '';
  return before === 'to' || before === 'from' ? before : '';
}

const CONDITIONS = new Set('after before with without aged age every per'.split(' '));

/** "After 5 years", "with 3 children": the number says in which case, not how much. */
function isCondition({ tokens }: Statement, item: Item): boolean {
  return CONDITIONS.has(tokens[item.begin - 1]?.lower ?? '');
}

/** Years and words of time behind the core: a figure of another year is another figure. */
function timesOutside({ items }: Statement, end: number): string {
  return items
    .slice(end)
    .filter((item) => item.quantity?.unit === 'year' || vocabulary.TIME_WORDS.has(item.key))
    .map((item) => (item.quantity ? String(item.quantity.low) : item.key))
    .join(' ');
}

/** Opposed words that name the subject ("rich countries", "rising prices") speak of different things. */
function isOtherSubject(a: Statement, b: Statement, comparison: Comparison, difference: Difference): boolean {
  const [left, right] = [a.items[difference.a] as Item, b.items[difference.b] as Item];
  const kind = oppositionOf(left.key, right.key);
  if (kind === 'quantity') return false;
  const isEpisode = startsIndefinite(a) && /ed$/u.test(wordOf(a, left));
  if (isEpisode || !saysOfSubject(a, left, difference.a, kind) || !saysOfSubject(b, right, difference.b, kind))
    return true;
  // "Prices rose", "prices are falling": without an object, another tense is another time.
  const hasObject = difference.a < comparison.endA - 1;
  return kind === 'verb' && !hasObject && isPast(wordOf(a, left)) !== isPast(wordOf(b, right));
}

function saysOfSubject(statement: Statement, item: Item, at: number, kind: 'verb' | 'state' | null): boolean {
  const { tokens } = statement;
  if (kind === 'verb' && item.key === 'against') return at > 0;
  for (let t = item.begin - 1; t >= 0; t--) {
    const lower = tokens[t]?.lower ?? '';
    const isAuxiliary = vocabulary.AUXILIARIES.has(lower);
    if (kind === 'state') {
      if (isAuxiliary) return true;
      if (vocabulary.PREPOSITIONS.has(lower) && lower !== 'as') return false;
      continue;
    }
    if (lower.endsWith('ly') || lower === 'not' || lower === 'never' || lower === 'to') {
      if (lower !== 'to') continue;
      return !vocabulary.DETERMINERS.has(tokens[t + 1]?.lower ?? '');
    }
    if (vocabulary.DETERMINERS.has(lower)) return yields(statement, t);
    return !vocabulary.PREPOSITIONS.has(lower);
  }
  return false;
}

/** "led to an increase" happens; "an increase … led" is the subject. */
function yields({ tokens }: Statement, determiner: number): boolean {
  return [1, 2].some((back) => vocabulary.YIELDS.has(tokens[determiner - back]?.lower ?? ''));
}

function isPast(word: string): boolean {
  return /ed$|^(?:rose|fell|grew|shrank|lost|won|began|cut)$/u.test(word);
}

function wordOf({ tokens }: Statement, item: Item): string {
  return tokens[item.begin]?.lower ?? '';
}

function hasAny({ tokens }: Statement, words: ReadonlySet<string>): boolean {
  return tokens.some((token) => words.has(token.lower));
}
