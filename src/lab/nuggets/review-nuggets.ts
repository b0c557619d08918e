import { groupBy } from '../../text/index.ts';
import { itemId, nuggetStatement } from '../annotation/items-of.ts';
import { type Decision, levelOf, SCALES } from '../annotation/label.ts';
import type { BenchmarkCase, BenchmarkSet, CaseNugget } from '../benchmark-set.ts';

/** A set as people reviewed it, with what they changed. */
interface ReviewedSet {
  readonly set: BenchmarkSet;
  readonly counts: Readonly<Record<'reviewed' | 'unbound' | 'dropped' | 'regraded', number>>;
}

/**
 * Applies what people decided of the nuggets of a set: a document that more of them found not to attest an answer than found so is taken
 * off it, an answer without a document goes, and so does a nugget without an answer or one that people do not want; its importance is the
 * lower median of their grades. What nobody decided stays.
 *
 * @param decisions one for each item, annotator and field
 */
export function reviewNuggets(set: BenchmarkSet, decisions: readonly Decision[]): ReviewedSet {
  const byItem = groupBy(decisions, ({ item }) => item);
  const counts = { reviewed: 0, unbound: 0, dropped: 0, regraded: 0 };
  const cases = set.cases.map((each) => {
    if (each.nuggets === undefined) return each;
    const nuggets = each.nuggets.flatMap((nugget) => reviewed(each, nugget, byItem, counts));
    return { ...each, nuggets };
  });
  return { set: { ...set, cases }, counts };
}

function reviewed(
  { id }: BenchmarkCase,
  nugget: CaseNugget,
  byItem: ReadonlyMap<string, readonly Decision[]>,
  counts: Record<keyof ReviewedSet['counts'], number>,
): CaseNugget[] {
  if (nugget.answers === undefined || nugget.answers.length === 0) return [nugget];
  const own: Decision[] = [];
  const answers = nugget.answers.flatMap((answer) => {
    const { text, spans = [], documents } = answer;
    const rejected = [...groupBy(spans, ({ document }) => document)].flatMap(([document, there]) => {
      const given = byItem.get(itemId(id, document, nuggetStatement(nugget.question, text), there)) ?? [];
      own.push(...given);
      const votes = given.filter(({ field }) => field === 'attested').map(({ value }) => (value === 'yes' ? 1 : -1));
      return votes.reduce((sum: number, vote) => sum + vote, 0) < 0 ? [document] : [];
    });
    counts.unbound += rejected.length;
    if (rejected.length === 0) return [answer];
    const left = documents?.filter((document) => !rejected.includes(document));
    if (left?.length === 0) return [];
    return [{ ...answer, documents: left, spans: spans.filter(({ document }) => !rejected.includes(document)) }];
  });
  if (own.length > 0) counts.reviewed++;
  const grades = own.flatMap(({ field, value }) => (field === 'importance' ? [levelOf(field, value)] : []));
  const median = grades.sort((a, b) => a - b).at(Math.floor((grades.length - 1) / 2));
  const grade = median === undefined ? undefined : SCALES.importance[median];
  if (answers.length === 0 || grade === 'unwanted') {
    counts.dropped++;
    return [];
  }
  if (grade === undefined || grade === (nugget.importance ?? 'vital')) return [{ ...nugget, answers }];
  counts.regraded++;
  return [{ ...nugget, answers, importance: grade }];
}
