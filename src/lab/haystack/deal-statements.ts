import { type Random, shuffled } from '../../selection/index.ts';
import { countWords } from '../../summary/index.ts';
import type { PooledStatement, StatementPool } from './statement-pool.ts';

export interface DealingOptions {
  /** At most. */
  readonly documents: number;
  /** Of a document, about. */
  readonly words: number;
  /** Documents that tell an insight, at least; not more than `documents`. */
  readonly least: number;
  /** Whether statements of an insight that has fewer than `least` stand in several documents. */
  readonly repeat: boolean;
}

/** What a document has been dealt so far. */
interface Hand {
  readonly statements: number[];
  readonly insights: Set<number>;
  readonly topics: Set<number>;
  words: number;
}

/** How much fuller a document may be that has a topic than one that would get it as another, as a share of its words. */
const AFFINITY = 0.25;

/**
 * Deals statements to documents. First every insight gets its `least` documents, each with another statement of it, as far as
 * it has them; then what is left goes where there is room. Documents that have the topic of a statement are preferred, so
 * that one tells of few topics; none gets a statement twice, nor, as long as others can take it, an insight.
 *
 * @returns places of statements for each document that got any: not more documents than the statements fill
 */
export function dealStatements(pool: StatementPool, options: DealingOptions, random: Random): number[][] {
  const { words, least, repeat } = options;
  const sizes = pool.statements.map(({ text }) => countWords(text));
  const tellers = pool.insights.map((_, insight) => tellersOf(pool, insight));
  const hands = Array.from({ length: documentsFor(sizes, tellers, pool.statements, options) }, newHand);
  const dealt = new Set<number>();

  const deal = (place: number, isOpen: (hand: Hand) => boolean): boolean => {
    const open = hands.filter((hand) => isOpen(hand) && !hand.statements.includes(place));
    const hand = emptiest(open, pool.statements[place].topic, words);
    if (hand === undefined) return false;
    const { topic, insights } = pool.statements[place];
    hand.statements.push(place);
    hand.topics.add(topic);
    hand.words += sizes[place];
    for (const insight of insights) hand.insights.add(insight);
    dealt.add(place);
    return true;
  };
  const countOf = (insight: number) => hands.filter((hand) => hand.insights.has(insight)).length;
  const isNewTo = (hand: Hand, insights: readonly number[]) => insights.every((insight) => !hand.insights.has(insight));

  const order = shuffled([...pool.insights.keys()], random);
  const queues = tellers.map((places) => shuffled(places, random));
  for (let round = 0; round < least; round++) {
    for (const insight of order) {
      if (countOf(insight) > round) continue;
      const queue = queues[insight];
      const fresh = queue.find((place) => !dealt.has(place));
      const place = fresh ?? (repeat ? queue[round % queue.length] : undefined);
      if (place === undefined) continue;
      const all = pool.statements[place].insights;
      const wanting = all.filter((each) => each === insight || countOf(each) < least);
      // Where no document is without all that it tells, one that is without what still lacks documents will do.
      const isDealt = [all, wanting, [insight]].some((some) => deal(place, (hand) => isNewTo(hand, some)));
      if (!isDealt) throw new RangeError(`no document is left for insight ${insight}`);
    }
  }
  const left = shuffled(
    [...pool.statements.keys()].filter((place) => !dealt.has(place)),
    random,
  );
  for (const place of left) {
    deal(place, (hand) => hand.words < words && isNewTo(hand, pool.statements[place].insights));
  }
  return hands.map(({ statements }) => statements).filter((statements) => statements.length > 0);
}

/** As many as the statements fill, but enough to keep the tellings of an insight apart. */
function documentsFor(
  sizes: readonly number[],
  tellers: readonly (readonly number[])[],
  statements: readonly PooledStatement[],
  { documents, words, least, repeat }: DealingOptions,
): number {
  const once = sizes.reduce((sum, size) => sum + size, 0);
  const again = tellers.map((places) => {
    const own = places.reduce((sum, place) => sum + sizes[place], 0);
    return repeat ? (own / places.length) * Math.max(0, least - places.length) : 0;
  });
  const total = again.reduce((sum, size) => sum + size, once);
  const maxInsights = Math.max(1, ...statements.map(({ insights }) => insights.length));
  return Math.min(documents, Math.max(maxInsights * (least - 1) + 1, Math.ceil(total / words)));
}

function tellersOf({ statements }: StatementPool, insight: number): number[] {
  return [...statements.keys()].filter((place) => statements[place].insights.includes(insight));
}

function newHand(): Hand {
  return { statements: [], insights: new Set(), topics: new Set(), words: 0 };
}

/** Where a statement of a topic goes: to the one with most room, a topic of its own counted as words; the first of equals. */
function emptiest(hands: readonly Hand[], topic: number, words: number): Hand | undefined {
  let best: Hand | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const hand of hands) {
    const score = hand.words / words + (hand.topics.has(topic) ? 0 : AFFINITY * hand.topics.size);
    if (score < least) [best, least] = [hand, score];
  }
  return best;
}
