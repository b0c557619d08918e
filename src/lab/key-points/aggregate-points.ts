import { utf8Length, windows } from '../../text/documents/windows.ts';
import { asData } from '../../models/language/as-data.ts';
import { BYTES_PER_TOKEN } from '../../models/language/usage.ts';
import type { AskedModel } from '../asking/asked-model.ts';
import { inTurn } from '../asking/in-turn.ts';
import { orNothing } from '../asking/or-nothing.ts';
import { batches, type Room } from './batches.ts';
import { mergeGroup, type PointGroup } from './merge-group.ts';
import { type DocumentOrder, type PlacedPoint, spansOf } from './placed-point.ts';
import { type AnsweredGroup, GROUPS, groupProblems, problemCount, repairGroups, tellProblems } from './read-groups.ts';

/** Points without duplicates. */
export interface AggregatedPoints {
  /** Every point is in exactly one, with all its spans; in order of their first points. */
  readonly groups: readonly PointGroup[];
  readonly counts: AggregationCounts;
}

export interface AggregationCounts {
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
const MOST_POINTS = 40;
const MOST_BYTES = 8000;

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
    const merged = await inTurn(shown.map((batch) => () => mergeBatch(batch)));
    counts = merged.reduce<AggregationCounts>(added, counts);
    const next = sameTexts(inOrder(merged.flatMap((batch) => batch.groups)), united);
    const isDone = shown.length < 2 || next.length === groups.length;
    groups = next;
    if (isDone) return { groups, counts };
  }
}

/** Points and answer, which is shown again where it is wrong, and the new answer share the context. */
export function roomOf({ contextTokens }: Pick<AskedModel, 'contextTokens'>): Room {
  return { points: MOST_POINTS, bytes: Math.min(MOST_BYTES, Math.floor(contextTokens / 5) * BYTES_PER_TOKEN) };
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
  const first = await orNothing(
    model.askFor({ prompt: model.prompt('benchmark-aggregate'), values: { points }, maxTokens }, GROUPS),
  );
  if (first === null) return null;
  const problems = groupProblems(first, batch.length);
  if (problemCount(problems) === 0) return first;
  const values = {
    points,
    answer: asData('answer', shortened(JSON.stringify({ groups: first }), room.bytes)),
    problems: tellProblems(problems),
  };
  const second = await orNothing(
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
