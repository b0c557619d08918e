import { asData, BYTES_PER_TOKEN, withoutUnseen } from '../../models/index.ts';
import { contentStems, wordRecall, wordSet } from '../../selection/index.ts';
import { unsupportedNames, unsupportedNumbers } from '../../summary/index.ts';
import { countWords, tidy, utf8Length, windows } from '../../text/index.ts';
import { type AskedModel, nullIfUnanswerable } from '../asking/asked-model.ts';
import { mapConcurrent } from '../asking/map-concurrent.ts';
import type { PassageSpan } from '../benchmark-set.ts';
import { coversKeyPoint } from './covers-key-point.ts';
import {
  type AnsweredGroup,
  describeProblems,
  GROUPS,
  groupProblems,
  problemCount,
  repairGroups,
} from './read-groups.ts';

/** A key point with the words of documents that state it, at least one stretch, in the order of the documents. */
export interface PlacedPoint {
  readonly text: string;
  readonly spans: readonly PassageSpan[];
}

/** Places of documents in their collection, by id. */
export type DocumentOrder = ReadonlyMap<string, number>;

/** By document, as the collection has them, then by place. */
function compareSpans(order: DocumentOrder): (a: PassageSpan, b: PassageSpan) => number {
  const placeOf = ({ document }: PassageSpan): number => order.get(document) ?? order.size;
  return (a, b) => placeOf(a) - placeOf(b) || a.start - b.start || a.end - b.end;
}

/** By their first spans; points of one place by their texts. */
export function comparePoints(order: DocumentOrder): (a: PlacedPoint, b: PlacedPoint) => number {
  const compare = compareSpans(order);
  return (a, b) => compare(a.spans[0], b.spans[0]) || (a.text < b.text ? -1 : Number(a.text > b.text));
}

/** All spans of some points, each once, in order. */
export function spansOf(points: readonly PlacedPoint[], order: DocumentOrder): PassageSpan[] {
  const spans = points.flatMap((point) => point.spans);
  const distinct = new Map(spans.map((span) => [JSON.stringify([span.document, span.start, span.end]), span]));
  return [...distinct.values()].sort(compareSpans(order));
}

/** What fits into one question. */
interface Room {
  readonly points: number;
  /** UTF-8 bytes of their texts. */
  readonly bytes: number;
}

/** Number, point and line end. */
const LINE_BYTES = 5;

/**
 * Points in batches that fit into one question, those that share words together: a batch begins with the first point that is
 * left, and takes the one that is most like one of its own (cosine of the words, the rarer the heavier) until it is full.
 *
 * @param items in their order
 * @returns each batch in the order of the items; an item that is larger than the room alone in its own
 */
export function batches<Item extends { readonly text: string }>(items: readonly Item[], room: Room): Item[][] {
  const sizes = items.map(({ text }) => utf8Length(text) + LINE_BYTES);
  const likeness = likenessOf(items.map(({ text }) => wordSet(text)));
  const isPlaced = items.map(() => false);
  const all: Item[][] = [];
  for (let first = 0; first < items.length; first++) {
    if (isPlaced[first]) continue;
    const batch: number[] = [];
    const best = new Float64Array(items.length);
    let left = room.bytes;
    for (let next = first; next >= 0; ) {
      batch.push(next);
      isPlaced[next] = true;
      left -= sizes[next];
      likeness(next, best);
      next = batch.length < room.points ? nearestUnplaced(best, isPlaced, first) : -1;
      if (next >= 0 && sizes[next] > left) next = -1;
    }
    all.push(batch.sort((a, b) => a - b).map((place) => items[place]));
  }
  return all;
}

/** The first of the best that are left; -1 where none is. */
function nearestUnplaced(best: Float64Array, isPlaced: readonly boolean[], from: number): number {
  let found = -1;
  for (let place = from; place < best.length; place++) {
    if (!isPlaced[place] && (found < 0 || best[place] > best[found])) found = place;
  }
  return found;
}

/** Raises values to the likeness with an item where that is higher. */
function likenessOf(words: readonly ReadonlySet<string>[]): (item: number, best: Float64Array) => void {
  const holders = new Map<string, number[]>();
  words.forEach((set, place) => {
    for (const word of set) {
      const known = holders.get(word);
      if (known === undefined) holders.set(word, [place]);
      else known.push(place);
    }
  });
  const weightOf = (word: string): number => Math.log(1 + words.length / (holders.get(word)?.length ?? 1)) ** 2;
  const norms = words.map((set) => Math.sqrt([...set].reduce((sum, word) => sum + weightOf(word), 0)));
  return (item, best) => {
    const shared = new Float64Array(words.length);
    for (const word of words[item]) {
      const weight = weightOf(word);
      for (const place of holders.get(word) ?? []) shared[place] += weight;
    }
    shared.forEach((value, place) => {
      if (value > 0) best[place] = Math.max(best[place], value / (norms[item] * norms[place]));
    });
  };
}

/**
 * Share of the content words of a statement that must stand in the points that it sums up. One in four may be new: a synonym,
 * or what joins two of them. A model that was asked to add nothing and whose words are new beyond that tells something else.
 */
const SUPPORTED = 0.75;
/** A statement of more words is a passage, or a model that does not stop. */
const MAX_WORDS = 80;

/** What a model wrote for several points, as a reader should see it. */
function tidyText(text: string): string {
  return tidy(withoutUnseen(text));
}

/**
 * Whether a statement says what some points say, and nothing else, as far as words tell: theirs, with no number and no
 * name of its own, and not a mere label, of less than half the words of the shortest.
 */
export function isSupported(statement: string, points: readonly string[]): boolean {
  if (!/[\p{L}\p{N}]/u.test(statement) || countWords(statement) > MAX_WORDS) return false;
  if (2 * countWords(statement) < Math.min(...points.map(countWords))) return false;
  if (unsupportedNumbers(statement, points).length > 0) return false;
  if (unsupportedNames({ text: statement, quotes: points }).length > 0) return false;
  const content = contentStems(statement);
  return wordRecall(statement, points, (stem) => Number(content.has(stem))) >= SUPPORTED;
}

/** Points that state the same. */
interface PointGroup extends PlacedPoint {
  /** Places of the points, from 0, rising. */
  readonly members: readonly number[];
}

/** What became of points that a model says state the same. */
interface MergedPoints {
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
      groups.map((group) => [group, [group.text, ...textsOf(group)].every((each) => coversKeyPoint(each, text))]),
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

/** Points without duplicates. */
interface AggregatedPoints {
  /** Every point is in exactly one, with all its spans; in order of their first points. */
  readonly groups: readonly PointGroup[];
  readonly counts: AggregationCounts;
}

interface AggregationCounts {
  /** Numbers that were in no group, in several or of no point, also when the model was told so. */
  readonly repairedGroups: number;
  /** Groups under the text of their first point, as what the model wrote was not in them. */
  readonly reworded: number;
  /** Points that were to be merged into a text that does not tell them, and were not. */
  readonly apart: number;
  /** Batches left as they were, as no answer could be read. */
  readonly unmergedBatches: number;
}

/** In longer lists models lose count. */
const MAX_POINTS = 40;
const MAX_BYTES = 8000;

interface Merged extends AggregationCounts {
  readonly groups: readonly PointGroup[];
}

/**
 * Merges points that state the same (Qi et al. 2024, section 3.3): those of the same words at once, others as the model says,
 * batch by batch. Where there is more than one batch, what came of them is gone through again, as long as something merges.
 *
 * @param points in order
 * @throws ModelCallError where a call failed otherwise than for what it asked
 */
export async function aggregatePoints(
  points: readonly PlacedPoint[],
  order: DocumentOrder,
  model: AskedModel,
): Promise<AggregatedPoints> {
  let counts: AggregationCounts = { repairedGroups: 0, reworded: 0, apart: 0, unmergedBatches: 0 };
  const united = (text: string, groups: readonly PointGroup[]): PointGroup => ({
    text,
    spans: spansOf(groups, order),
    members: groups.flatMap(({ members }) => members).sort((a, b) => a - b),
  });
  const textsOf = ({ members }: PointGroup): string[] => members.map((place) => points[place].text);
  const room = roomOf(model);
  const asked = new Set<string>();

  async function mergeBatch(batch: readonly PointGroup[]): Promise<Merged> {
    const none = { repairedGroups: 0, reworded: 0, apart: 0, unmergedBatches: 0 };
    const key = JSON.stringify(batch.map(({ members }) => members));
    // A batch that comes again is one in which nothing merged.
    if (batch.length < 2 || asked.has(key)) return { ...none, groups: batch };
    asked.add(key);
    const answer = await groupsOf(batch, room, model);
    if (answer === null) return { ...none, groups: batch, unmergedBatches: 1 };
    const merged = repairGroups(answer, batch.length).map(({ places, text }) => {
      const groups = places.toSorted((a, b) => a - b).map((place) => batch[place]);
      if (groups.length < 2) return { groups, reworded: 0, apart: 0 };
      const { together, text: own, apart, isReworded } = mergeGroup(text, groups, textsOf);
      const whole = together.length > 0 ? [united(own, together)] : [];
      return { groups: [...whole, ...apart], reworded: Number(isReworded), apart: apart.length };
    });
    return {
      groups: merged.flatMap(({ groups }) => groups),
      repairedGroups: problemCount(groupProblems(answer, batch.length)),
      reworded: merged.reduce((sum, { reworded }) => sum + reworded, 0),
      apart: merged.reduce((sum, { apart }) => sum + apart, 0),
      unmergedBatches: 0,
    };
  }

  let groups = sameTexts(
    points.map(({ text, spans }, place) => ({ text, spans: [...spans], members: [place] })),
    united,
  );
  for (;;) {
    const shown = batches(groups, room);
    const merged = await mapConcurrent(shown.map((batch) => () => mergeBatch(batch)));
    counts = merged.reduce<AggregationCounts>(added, counts);
    const next = sameTexts(inOrder(merged.flatMap((batch) => batch.groups)), united);
    const isDone = shown.length < 2 || next.length === groups.length;
    groups = next;
    if (isDone) return { groups, counts };
  }
}

/** Points and answer, which is shown again where it is wrong, and the new answer share the context. */
export function roomOf({ contextTokens }: Pick<AskedModel, 'contextTokens'>): Room {
  return { points: MAX_POINTS, bytes: Math.min(MAX_BYTES, Math.floor(contextTokens / 5) * BYTES_PER_TOKEN) };
}

/** The groups that a model sees; where they are wrong, what it says when told so. Null without a readable answer. */
async function groupsOf(
  batch: readonly PointGroup[],
  room: Room,
  model: AskedModel,
): Promise<readonly AnsweredGroup[] | null> {
  const lines = batch.map(({ text }, place) => `${place + 1}. ${text.replace(/\s+/g, ' ')}`).join('\n');
  const points = asData('points', lines);
  // The texts at most, a number and what JSON adds for each.
  const maxTokens = Math.min(
    Math.floor(model.contextTokens / 3),
    100 + 24 * batch.length + Math.ceil(Math.min(room.bytes, utf8Length(lines)) / BYTES_PER_TOKEN),
  );
  const first = await nullIfUnanswerable(
    model.askFor({ prompt: model.prompt('benchmark-aggregate'), values: { points }, maxTokens }, GROUPS),
  );
  if (first === null) return null;
  const problems = groupProblems(first, batch.length);
  if (problemCount(problems) === 0) return first;
  const values = {
    points,
    answer: asData('answer', shortened(JSON.stringify({ groups: first }), room.bytes)),
    problems: describeProblems(problems),
  };
  const second = await nullIfUnanswerable(
    model.askFor({ prompt: model.prompt('benchmark-aggregate-again'), values, maxTokens }, GROUPS),
  );
  // Told what is wrong, some models make it worse.
  return second !== null && problemCount(groupProblems(second, batch.length)) <= problemCount(problems)
    ? second
    : first;
}

/** Unites groups of the same text, up to case, white space and the final mark. */
function sameTexts(
  groups: readonly PointGroup[],
  united: (text: string, groups: readonly PointGroup[]) => PointGroup,
): PointGroup[] {
  const byText = new Map<string, PointGroup[]>();
  for (const group of groups) {
    const key = group.text
      .normalize()
      .toLowerCase()
      .replace(/\s+/g, ' ')
      .replace(/[\s.!…]+$/, '');
    const known = byText.get(key);
    if (known === undefined) byText.set(key, [group]);
    else known.push(group);
  }
  return [...byText.values()].map((same) => (same.length > 1 ? united(same[0].text, same) : same[0]));
}

function inOrder(groups: readonly PointGroup[]): PointGroup[] {
  return [...groups].sort((a, b) => a.members[0] - b.members[0]);
}

function added(a: AggregationCounts, b: AggregationCounts): AggregationCounts {
  return {
    repairedGroups: a.repairedGroups + b.repairedGroups,
    reworded: a.reworded + b.reworded,
    apart: a.apart + b.apart,
    unmergedBatches: a.unmergedBatches + b.unmergedBatches,
  };
}

/** About so many UTF-8 bytes of an answer: a model that goes round in circles fills pages. */
function shortened(text: string, bytes: number): string {
  if (utf8Length(text) <= bytes) return text;
  const [first] = windows(text, { bytes, overlapBytes: 0 });
  return `${text.slice(0, first.end)} …`;
}
