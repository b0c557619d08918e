import { z } from 'zod';
import { agreementOfFacts, bearsFacts, wholePassage } from '../../evaluation/index.ts';
import { asData, BYTES_PER_TOKEN } from '../../models/index.ts';
import { contentStems, groupBy, tidy, utf8Length, wordSet } from '../../text/index.ts';
import type { PassageSpan } from '../benchmark-set.ts';
import { type AskedModel, listForm, numbered, readItems, readNumber } from './asked-model.ts';
import { type Counts, summed } from './maker.ts';

export interface PlacedPoint {
  readonly text: string;
  readonly spans: readonly PassageSpan[];
}

interface Room {
  readonly items: number;
  readonly bytes: number;
}

const LINE_BYTES = 5;

/** Batches that fit one prompt, each of an item and those most similar to it (Jaccard). An oversized item is alone. */
export function batches<Item extends { readonly text: string }>(items: readonly Item[], room: Room): Item[][] {
  const words = items.map(({ text }) => wordSet(text));
  const all: Item[][] = [];
  for (let left = [...items.keys()]; left.length > 0; ) {
    const [first] = left;
    const nearness = new Map(left.map((place) => [place, jaccard(words[first], words[place])]));
    const near = left.slice(1).toSorted((a, b) => (nearness.get(b) ?? 0) - (nearness.get(a) ?? 0));
    let bytes = 0;
    const taken = [first, ...near].slice(0, room.items).filter((place, at) => {
      bytes += utf8Length(items[place].text) + LINE_BYTES;
      return at === 0 || bytes <= room.bytes;
    });
    all.push(items.filter((_, place) => taken.includes(place)));
    left = left.filter((place) => !taken.includes(place));
  }
  return all;
}

export function jaccard(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let both = 0;
  for (const word of some) both += Number(others.has(word));
  return both === 0 ? 0 : both / (some.size + others.size - both);
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

const GROUPS = listForm('groups', 'groups', z.object({ points: readItems(readNumber) }));

/** Models lose count in longer lists. */
const MAX_POINTS = 40;
const MAX_BYTES = 8000;

export function mergingRoom(contextTokens: number): Room {
  return { items: MAX_POINTS, bytes: Math.min(MAX_BYTES, Math.floor(contextTokens / 5) * BYTES_PER_TOKEN) };
}

interface PointGroup extends PlacedPoint {
  readonly members: readonly number[];
}

function united(text: string, groups: readonly PointGroup[]): PointGroup {
  const members = groups.flatMap((each) => each.members).sort((a, b) => a - b);
  const spans = new Map(groups.flatMap((each) => each.spans.map((span) => [Object.values(span).join(), span])));
  return { text, members, spans: [...spans.values()] };
}

/** Unites groups with equal texts. */
function withoutRepeats(groups: readonly PointGroup[]): PointGroup[] {
  const keyOf = ({ text }: PointGroup) =>
    tidy(text)
      .normalize()
      .toLowerCase()
      .replace(/[\s.!…]+$/, '');
  return [...groupBy(groups, keyOf).values()]
    .map((same) => united(same[0].text, same))
    .sort((a, b) => a.members[0] - b.members[0]);
}

const NONE = { repairedGroups: 0, apart: 0, unmergedBatches: 0 };

/**
 * Merges points with the same meaning (Qi et al. 2024, section 3.3): equal texts first, others by the model in batches,
 * until nothing merges. A group has the text of the point that tells most of the others; those that it does not tell
 * stay apart.
 * @returns groups in the order of their first points, with all spans; each point is in exactly one
 */
export async function mergePoints(
  points: readonly PlacedPoint[],
  model: AskedModel,
): Promise<{ readonly groups: readonly PointGroup[]; readonly counts: Counts }> {
  const room = mergingRoom(model.contextTokens);

  function mergeGroup(groups: readonly PointGroup[]) {
    const textsOf = ({ text, members }: PointGroup) => [text, ...members.map((place) => points[place].text)];
    const told = groups.map(({ text }) => groups.filter((each) => textsOf(each).every((one) => tells(text, one))));
    const most = Math.max(...told.map(({ length }) => length));
    const best = told.findIndex(({ length }) => length === most);
    const apart = groups.filter((each) => !told[best].includes(each));
    return { groups: [united(groups[best].text, told[best]), ...apart], counts: { apart: apart.length } };
  }

  async function mergeBatch(batch: readonly PointGroup[]) {
    if (batch.length < 2) return { groups: batch, counts: NONE };
    const lines = numbered(batch.map(({ text }) => text.replace(/\s+/g, ' ')));
    const maxTokens = Math.min(Math.floor(model.contextTokens / 3), 100 + 24 * batch.length);
    const answer = await model.json('benchmark-aggregate', { points: asData('points', lines) }, maxTokens, GROUPS);
    if (answer === null) return { groups: batch, counts: { ...NONE, unmergedBatches: 1 } };
    const { groups, repaired } = repairedGroups(answer, batch.length);
    const merged = groups.map((places) => mergeGroup(places.map((place) => batch[place])));
    return {
      groups: merged.flatMap((each) => each.groups),
      counts: summed([{ repairedGroups: repaired }, ...merged.map(({ counts }) => counts)]),
    };
  }

  let counts: Counts = NONE;
  let groups = withoutRepeats(points.map((point, place) => ({ ...point, members: [place] })));
  for (;;) {
    const shown = batches(groups, room);
    const merged = await Promise.all(shown.map(mergeBatch));
    counts = summed([counts, ...merged.map((each) => each.counts)]);
    const next = withoutRepeats(merged.flatMap((each) => each.groups));
    const isDone = shown.length < 2 || next.length === groups.length;
    groups = next;
    if (isDone) return { groups, counts };
  }
}

/** Each place in the first group that names it, or alone; `repaired` counts numbers of none and places in no or several groups. */
function repairedGroups(answer: readonly { readonly points: readonly number[] }[], count: number) {
  const left = new Set(Array.from({ length: count }, (_, place) => place));
  let repaired = 0;
  const groups = answer.flatMap(({ points }) => {
    const places = [...new Set(points)].map((number) => number - 1).filter((place) => left.delete(place));
    repaired += new Set(points).size - places.length;
    return places.length === 0 ? [] : [places.sort((a, b) => a - b)];
  });
  return { groups: [...groups, ...[...left].map((place) => [place])], repaired: repaired + left.size };
}
