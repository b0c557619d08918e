import { z } from 'zod';
import type { JsonForm } from '../../models/index.ts';
import { readNumber } from '../asking/read-items.ts';

/** Points that a model says state the same, by the numbers that it was shown, from 1. */
export interface AnsweredGroup {
  readonly points: readonly number[];
  /** One statement for all of them; may be empty. */
  readonly text: string;
}

/** What is wrong with groups; numbers from 1, in order. */
interface GroupProblems {
  /** In no group. */
  readonly missing: readonly number[];
  /** In several. */
  readonly doubled: readonly number[];
  /** Of no point. */
  readonly unknown: readonly number[];
}

/** Groups of places from 0. */
interface PlaceGroup {
  readonly places: readonly number[];
  readonly text: string;
}

const asAsked = z.object({ points: z.array(z.int()), text: z.string() });
const nearly = z.object({
  points: z.union([z.array(z.unknown()), readNumber.transform((one) => [one])]),
  text: z.string().nullish(),
});

/** Groups as JSON, read kindly: what is no group is passed over, and the points that it lacks are found missing. */
export const GROUPS: JsonForm<AnsweredGroup[]> = {
  name: 'groups',
  wholeItems: true,
  schema: z
    .union([z.object({ groups: z.array(z.unknown()) }).transform(({ groups }) => groups), z.array(z.unknown())])
    .transform((groups) => groups.flatMap(groupsIn)),
  asked: z.object({ groups: z.array(asAsked) }),
};

function groupsIn(item: unknown): AnsweredGroup[] {
  const { data } = nearly.safeParse(item);
  if (data === undefined) return [];
  const points = data.points.flatMap((each) => readNumber.safeParse(each).data ?? []);
  return [{ points, text: data.text ?? '' }];
}

/** What is wrong with groups of so many points. */
export function groupProblems(groups: readonly AnsweredGroup[], count: number): GroupProblems {
  const times = new Map<number, number>();
  for (const { points } of groups) for (const point of new Set(points)) times.set(point, (times.get(point) ?? 0) + 1);
  const isPoint = (point: number): boolean => point >= 1 && point <= count;
  const named = [...times.keys()].sort((a, b) => a - b);
  return {
    missing: Array.from({ length: count }, (_, place) => place + 1).filter((point) => !times.has(point)),
    doubled: named.filter((point) => isPoint(point) && (times.get(point) ?? 0) > 1),
    unknown: named.filter((point) => !isPoint(point)),
  };
}

/** Numbers that are wrong. */
export function problemCount({ missing, doubled, unknown }: GroupProblems): number {
  return missing.length + doubled.length + unknown.length;
}

/** The same for the model, a line each. */
export function describeProblems({ missing, doubled, unknown }: GroupProblems): string {
  const lines = [
    [missing, 'In no group'],
    [doubled, 'In more than one group'],
    [unknown, 'Not the number of a point'],
  ] as const;
  return lines.flatMap(([points, what]) => (points.length > 0 ? `- ${what}: ${points.join(', ')}.` : [])).join('\n');
}

/**
 * The groups with every point in exactly one: a point that is in several stays in the first of them, one that is in none
 * gets its own, and numbers of no point are dropped.
 */
export function repairGroups(groups: readonly AnsweredGroup[], count: number): PlaceGroup[] {
  const taken = new Set<number>();
  const take = (place: number): boolean => {
    if (place < 0 || place >= count || taken.has(place)) return false;
    taken.add(place);
    return true;
  };
  const given = groups.map(({ points, text }) => ({ places: points.map((point) => point - 1).filter(take), text }));
  const alone = Array.from({ length: count }, (_, place) => place).filter(take);
  return [...given.filter(({ places }) => places.length > 0), ...alone.map((place) => ({ places: [place], text: '' }))];
}
