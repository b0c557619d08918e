import { z } from 'zod';
import { BYTES_PER_TOKEN } from '../../models/index.ts';
import { foldText, groupBy, utf8Length, wordSet } from '../../text/index.ts';
import type { PassageSpan } from '../benchmark-set.ts';
import { type AskedModel, itemAt, listForm, numbered, readItems, readNumber } from './asked-model.ts';

export interface PlacedPoint {
  readonly text: string;
  readonly spans: readonly PassageSpan[];
}

const LINE_BYTES = 5;

/** Batches that fit one prompt, each of an item and those most similar to it (Jaccard). An oversized item is alone. */
export function batches<Item extends { readonly text: string }>(
  items: readonly Item[],
  room: { readonly items: number; readonly bytes: number },
): Item[][] {
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

const GROUPS = listForm('groups', 'groups', z.object({ points: readItems(readNumber) }));

/** Models lose count in longer lists. */
export const MAX_POINTS = 40;
const [MAX_BYTES, LIST_SHARE] = [8000, 0.2];

interface PointGroup extends PlacedPoint {
  readonly members: readonly number[];
}

function united(groups: readonly PointGroup[]): PointGroup {
  const inOrder = groups.toSorted((a, b) => a.members[0] - b.members[0]);
  const spans = new Map(inOrder.flatMap((each) => each.spans.map((span) => [Object.values(span).join(), span])));
  const members = inOrder.flatMap((each) => each.members).sort((a, b) => a - b);
  return { text: inOrder[0].text, members, spans: [...spans.values()] };
}

/** Unites groups with equal texts. */
function withoutRepeats(groups: readonly PointGroup[]): PointGroup[] {
  const keyOf = ({ text }: PointGroup) => foldText(text).folded.replace(/[\s.!…]+$/, '');
  return [...groupBy(groups, keyOf).values()].map(united).sort((a, b) => a.members[0] - b.members[0]);
}

/**
 * Merges points with the same meaning (Qi et al. 2024, section 3.3): equal texts first, others by the model in batches,
 * until nothing merges. A group has the text of its first point.
 * @returns groups in the order of their first points, with all spans; each point is in exactly one
 */
export async function mergePoints(points: readonly PlacedPoint[], model: AskedModel): Promise<readonly PointGroup[]> {
  const room = { items: MAX_POINTS, bytes: Math.min(MAX_BYTES, LIST_SHARE * model.contextTokens * BYTES_PER_TOKEN) };

  async function mergeBatch(batch: readonly PointGroup[]): Promise<readonly PointGroup[]> {
    if (batch.length < 2) return batch;
    const values = { points: numbered('points', batch) };
    const answer = (await model.json('benchmark-aggregate', values, 100 + 24 * batch.length, GROUPS)) ?? [];
    // Each point is in the first group that names it, or alone.
    const left = new Set(batch);
    const groups = answer.flatMap(({ points: numbers }) => {
      const own = numbers.flatMap((number) => itemAt(batch, number) ?? []).filter((each) => left.delete(each));
      return own.length === 0 ? [] : [united(own)];
    });
    return [...groups, ...left];
  }

  let groups = withoutRepeats(points.map((point, place) => ({ ...point, members: [place] })));
  for (;;) {
    const shown = batches(groups, room);
    const before = groups.length;
    groups = withoutRepeats((await Promise.all(shown.map(mergeBatch))).flat());
    if (shown.length < 2 || groups.length === before) return groups;
  }
}
