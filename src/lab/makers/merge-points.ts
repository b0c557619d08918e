import { z } from 'zod';
import { agreementOfFacts, bearsFacts, wholePassage } from '../../evaluation/index.ts';
import { asData, BYTES_PER_TOKEN, type JsonForm, withoutUnseen } from '../../models/index.ts';
import { unsupportedNames, unsupportedNumbers } from '../../summary/index.ts';
import { contentStems, countWords, groupBy, tidy, utf8Length, wordSet, wordSupport } from '../../text/index.ts';
import type { PassageSpan } from '../benchmark-set.ts';
import { type AskedModel, mapConcurrent, numbered, readNumber } from './asked-model.ts';
import { type Counts, summed } from './maker.ts';

export interface PlacedPoint {
  readonly text: string;
  readonly spans: readonly PassageSpan[];
}

export type DocumentOrder = ReadonlyMap<string, number>;

export function spansOf(points: readonly PlacedPoint[], order: DocumentOrder): PassageSpan[] {
  const spans = points.flatMap((point) => point.spans);
  const distinct = new Map(spans.map((span) => [JSON.stringify([span.document, span.start, span.end]), span]));
  return [...distinct.values()].sort((a, b) => compareSpans(a, b, order));
}

export function comparePoints(a: PlacedPoint, b: PlacedPoint, order: DocumentOrder): number {
  return compareSpans(a.spans[0], b.spans[0], order) || (a.text < b.text ? -1 : Number(a.text > b.text));
}

function compareSpans(a: PassageSpan, b: PassageSpan, order: DocumentOrder): number {
  const placeOf = ({ document }: PassageSpan): number => order.get(document) ?? order.size;
  return placeOf(a) - placeOf(b) || a.start - b.start || a.end - b.end;
}

interface Room {
  readonly items: number;
  readonly bytes: number;
}

const LINE_BYTES = 5;

/** Batches that fit one prompt, grown by the most similar item (Jaccard). An oversized item is alone. */
export function batches<Item extends { readonly text: string }>(items: readonly Item[], room: Room): Item[][] {
  const words = items.map(({ text }) => wordSet(text));
  const left = new Set(items.keys());
  const all: Item[][] = [];
  for (const first of items.keys()) {
    if (!left.has(first)) continue;
    const batch: number[] = [];
    const nearness = new Float64Array(items.length);
    let bytes = room.bytes;
    for (let next: number | undefined = first; next !== undefined; ) {
      const taken: number = next;
      batch.push(taken);
      left.delete(taken);
      bytes -= utf8Length(items[taken].text) + LINE_BYTES;
      for (const place of left) nearness[place] = Math.max(nearness[place], jaccard(words[taken], words[place]));
      next = [...left].reduce<number | undefined>(
        (best, place) => (best === undefined || nearness[place] > nearness[best] ? place : best),
        undefined,
      );
      const isFull = batch.length >= room.items;
      if (isFull || (next !== undefined && utf8Length(items[next].text) + LINE_BYTES > bytes)) next = undefined;
    }
    all.push(batch.sort((a, b) => a - b).map((place) => items[place]));
  }
  return all;
}

export function jaccard(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let both = 0;
  for (const word of some) both += Number(others.has(word));
  return both === 0 ? 0 : both / (some.size + others.size - both);
}

interface AnsweredGroup {
  readonly points: readonly number[];
  readonly text: string;
}

const group = z
  .object({
    points: z.union([z.array(z.unknown()), readNumber.transform((one) => [one])]),
    text: z.string().nullish(),
  })
  .transform(({ points, text }) => ({
    points: points.flatMap((each) => readNumber.safeParse(each).data ?? []),
    text: text ?? '',
  }));
const list = z.array(z.unknown()).transform((groups) => groups.flatMap((each) => group.safeParse(each).data ?? []));
const GROUPS: JsonForm<AnsweredGroup[]> = {
  name: 'groups',
  wholeItems: true,
  schema: z.union([z.object({ groups: list }).transform(({ groups }) => groups), list]),
  asked: z.object({ groups: z.array(z.object({ points: z.array(z.int()), text: z.string() })) }),
};

interface PointGroup extends PlacedPoint {
  readonly members: readonly number[];
}

/** Min share of a statement's content words in its points: one in four may be a synonym. */
const SUPPORTED = 0.75;
const MAX_WORDS = 80;

/** Whether a statement adds nothing to its points, judging by words, numbers and names, and is more than a label. */
export function isSupported(statement: string, points: readonly string[]): boolean {
  const words = countWords(statement);
  if (!/[\p{L}\p{N}]/u.test(statement) || words > MAX_WORDS) return false;
  if (2 * words < Math.min(...points.map(countWords))) return false;
  if (unsupportedNumbers(statement, points).length > 0) return false;
  if (unsupportedNames({ text: statement, quotes: points }).length > 0) return false;
  const content = contentStems(statement);
  return wordSupport(statement, points, (stem) => Number(content.has(stem))).recall >= SUPPORTED;
}

/** Min shares of common content words, for the shorter and the longer statement. */
const [OF_SHORTER, OF_LONGER] = [1 / 2, 1 / 3];

/** Whether a statement can replace a point: similar words, the same facts, no denial. */
export function tells(statement: string, point: string): boolean {
  if (point.trim() === statement.trim()) return true;
  const [own, others] = [contentStems(point), contentStems(statement)];
  const shared = [...own].filter((word) => others.has(word)).length;
  const [shorter, longer] = [own.size, others.size].sort((a, b) => a - b);
  if (shared === 0 || shared < OF_SHORTER * shorter || shared < OF_LONGER * longer) return false;
  // All facts of the point are present, so any disagreement is a denial.
  return bearsFacts(point, wholePassage(statement)) && agreementOfFacts(statement, wholePassage(point)) === 1;
}

/** Models lose count in longer lists. */
const MAX_POINTS = 40;
const MAX_BYTES = 8000;

export function mergingRoom(contextTokens: number): Room {
  return { items: MAX_POINTS, bytes: Math.min(MAX_BYTES, Math.floor(contextTokens / 5) * BYTES_PER_TOKEN) };
}

const NONE = { repairedGroups: 0, reworded: 0, apart: 0, unmergedBatches: 0 };

/**
 * Merges points with the same meaning (Qi et al. 2024, section 3.3): equal texts first, others by the model in batches,
 * until nothing merges. A group takes the model's statement if its points support it, otherwise its first text; points
 * not covered by that text stay apart.
 * @param points in order
 * @returns groups in the order of their first points, with all spans; each point is in exactly one
 */
export async function mergePoints(
  points: readonly PlacedPoint[],
  order: DocumentOrder,
  model: AskedModel,
): Promise<{ readonly groups: readonly PointGroup[]; readonly counts: Counts }> {
  const room = mergingRoom(model.contextTokens);
  const asked = new Set<string>();
  const textsOf = ({ text, members }: PointGroup) => [text, ...members.map((place) => points[place].text)];
  const united = (text: string, groups: readonly PointGroup[]): PointGroup => ({
    text,
    spans: spansOf(groups, order),
    members: groups.flatMap(({ members }) => members).sort((a, b) => a - b),
  });
  const withoutRepeats = (groups: readonly PointGroup[]): PointGroup[] => {
    const keyOf = ({ text }: PointGroup) =>
      tidy(text)
        .normalize()
        .toLowerCase()
        .replace(/[\s.!…]+$/, '');
    const same = [...groupBy(groups, keyOf).values()];
    return same
      .map((each) => (each.length > 1 ? united(each[0].text, each) : each[0]))
      .sort((a, b) => a.members[0] - b.members[0]);
  };

  function mergeGroup(given: string, groups: readonly PointGroup[]) {
    if (groups.length < 2) return { groups, counts: NONE };
    const written = tidy(withoutUnseen(given));
    const isTold = (text: string) => (each: PointGroup) => textsOf(each).every((one) => tells(text, one));
    const underWritten = groups.filter(isTold(written));
    const isWritten = underWritten.length > 1 && isSupported(written, underWritten.flatMap(textsOf));
    const text = isWritten ? written : groups[0].text;
    const together = isWritten ? underWritten : groups.filter(isTold(text));
    if (together.length < 2) return { groups, counts: { ...NONE, apart: groups.length } };
    const apart = groups.filter((each) => !together.includes(each));
    const counts = { ...NONE, reworded: Number(!isWritten), apart: apart.length };
    return { groups: [united(text, together), ...apart], counts };
  }

  async function mergeBatch(batch: readonly PointGroup[]) {
    const key = JSON.stringify(batch.map(({ members }) => members));
    // Nothing merged in a repeated batch.
    if (batch.length < 2 || asked.has(key)) return { groups: batch, counts: NONE };
    asked.add(key);
    const lines = numbered(batch.map(({ text }) => text.replace(/\s+/g, ' ')));
    const answerTokens = 100 + 24 * batch.length + Math.ceil(Math.min(room.bytes, utf8Length(lines)) / BYTES_PER_TOKEN);
    const maxTokens = Math.min(Math.floor(model.contextTokens / 3), answerTokens);
    const answer = await model.json('benchmark-aggregate', { points: asData('points', lines) }, maxTokens, GROUPS);
    if (answer === null) return { groups: batch, counts: { ...NONE, unmergedBatches: 1 } };
    const { groups, repaired } = repairedGroups(answer, batch.length);
    const merged = groups.map(({ places, text }) =>
      mergeGroup(
        text,
        places.map((place) => batch[place]),
      ),
    );
    return {
      groups: merged.flatMap((each) => each.groups),
      counts: summed([{ ...NONE, repairedGroups: repaired }, ...merged.map((each) => each.counts)]),
    };
  }

  let counts: Counts = NONE;
  let groups = withoutRepeats(points.map(({ text, spans }, place) => ({ text, spans, members: [place] })));
  for (;;) {
    const shown = batches(groups, room);
    const merged = await mapConcurrent(shown, mergeBatch);
    counts = summed([counts, ...merged.map((each) => each.counts)]);
    const next = withoutRepeats(merged.flatMap((each) => each.groups));
    const isDone = shown.length < 2 || next.length === groups.length;
    groups = next;
    if (isDone) return { groups, counts };
  }
}

function repairedGroups(answer: readonly AnsweredGroup[], count: number) {
  const taken = new Set<number>();
  let repaired = 0;
  const groups = answer.flatMap(({ points, text }) => {
    const places = [...new Set(points)]
      .map((point) => point - 1)
      .filter((place) => {
        const isFree = place >= 0 && place < count && !taken.has(place);
        if (isFree) taken.add(place);
        else repaired++;
        return isFree;
      });
    return places.length === 0 ? [] : [{ places: places.sort((a, b) => a - b), text }];
  });
  const missing = Array.from({ length: count }, (_, place) => place).filter((place) => !taken.has(place));
  const alone = missing.map((place) => ({ places: [place], text: '' }));
  return { groups: [...groups, ...alone], repaired: repaired + missing.length };
}
