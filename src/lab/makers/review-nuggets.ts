import { SCALES } from '../../contract/index.ts';
import { groupBy } from '../../text/index.ts';
import type { BenchmarkSet, CaseNugget } from '../benchmark-set.ts';
import { itemId, nuggetStatement } from '../people/items.ts';
import { type Decision, levelOf } from '../people/labels.ts';

const UNCHANGED = { reviewed: 0, unbound: 0, dropped: 0, regraded: 0 };

/**
 * Removes documents that most annotators reject, answers without documents, and empty or rejected nuggets. Importance is
 * the lower median of the grades.
 * @param decisions one for each item, annotator and field
 */
export function reviewNuggets(set: BenchmarkSet, decisions: readonly Decision[]) {
  const counts = { ...UNCHANGED };
  const byItem = groupBy(decisions, ({ item }) => item);
  const cases = set.cases.map((each) => {
    if (each.nuggets === undefined) return each;
    return { ...each, nuggets: each.nuggets.flatMap((nugget) => reviewedNugget(each.id, nugget, byItem, counts)) };
  });
  return { set: { ...set, cases }, counts };
}

function reviewedNugget(
  caseId: string,
  nugget: CaseNugget,
  byItem: ReadonlyMap<string, readonly Decision[]>,
  counts: typeof UNCHANGED,
): CaseNugget[] {
  if (nugget.answers === undefined || nugget.answers.length === 0) return [nugget];
  const own: Decision[] = [];
  const answers = nugget.answers.flatMap((answer) => {
    const { text: told, spans = [], documents } = answer;
    const rejected = [...groupBy(spans, ({ document }) => document)].flatMap(([document, there]) => {
      const given = byItem.get(itemId(caseId, document, nuggetStatement(nugget.question, told), there)) ?? [];
      own.push(...given);
      const votes = given.flatMap(({ field, value }) => (field === 'attested' ? [value === 'yes' ? 1 : -1] : []));
      return votes.reduce((sum, vote) => sum + vote, 0) < 0 ? [document] : [];
    });
    counts.unbound += rejected.length;
    if (rejected.length === 0) return [answer];
    const left = documents?.filter((document) => !rejected.includes(document));
    if (left?.length === 0) return [];
    return [{ ...answer, documents: left, spans: spans.filter(({ document }) => !rejected.includes(document)) }];
  });
  counts.reviewed += Number(own.length > 0);
  const grades = own.flatMap(({ field, value }) => (field === 'importance' ? [levelOf(field, value)] : []));
  const median = grades.sort((a, b) => a - b).at(Math.floor((grades.length - 1) / 2));
  const before = nugget.importance ?? 'vital';
  const grade = median === undefined ? before : SCALES.importance[median];
  const isDropped = answers.length === 0 || grade === 'unwanted';
  counts.dropped += Number(isDropped);
  if (isDropped) return [];
  counts.regraded += Number(grade !== before);
  return [{ ...nugget, answers, ...(grade !== before && { importance: grade }) }];
}
