import { type Field, SCALES } from '../../contract/index.ts';
import { groupBy } from '../../text/index.ts';
import type { BenchmarkCase, BenchmarkSet, CaseNugget } from '../benchmark-set.ts';
import { itemId, nuggetStatement } from '../people/items.ts';
import { type Decision, levelOf } from '../people/labels.ts';
import { tally } from './asked-model.ts';

type KeyPoint = NonNullable<BenchmarkCase['keyPoints']>[number];

/**
 * Of nuggets removes documents that most annotators reject, answers without documents, and empty or rejected nuggets; importance
 * is the lower median of the grades. Of key points removes passages that do not state them, and those without passages or of no
 * help (Qi et al. 2024, section 3.3).
 * @param decisions one for each item, annotator and field
 */
export function reviewSet(set: BenchmarkSet, decisions: readonly Decision[]) {
  const { counts, count } = tally();
  const byItem = groupBy(decisions, ({ item }) => item);
  const isRejected = (given: readonly Decision[], of: Field, no: string): boolean =>
    given.reduce((sum, { field, value }) => (field === of ? sum + (value === no ? -1 : 1) : sum), 0) < 0;

  function reviewedPoint(caseId: string, point: KeyPoint): KeyPoint[] {
    const own: Decision[] = [];
    const spans = [...groupBy(point.spans ?? [], ({ document }) => document)].flatMap(([document, there]) => {
      const given = byItem.get(itemId(caseId, document, point.text, there)) ?? [];
      own.push(...given);
      return isRejected(given, 'stated', 'no') ? [] : there;
    });
    if (own.length === 0) return [point];
    count('reviewedPoints');
    const stays = spans.length > 0 && !isRejected(own, 'helps', 'disagree');
    if (!stays) count('droppedPoints');
    return stays ? [{ ...point, spans }] : [];
  }

  function reviewed(caseId: string, nugget: CaseNugget): CaseNugget[] {
    if (nugget.answers === undefined || nugget.answers.length === 0) return [nugget];
    const own: Decision[] = [];
    const answers = nugget.answers.flatMap((answer) => {
      const { text: told, spans = [], documents } = answer;
      const rejected = [...groupBy(spans, ({ document }) => document)].flatMap(([document, there]) => {
        const given = byItem.get(itemId(caseId, document, nuggetStatement(nugget.question, told), there)) ?? [];
        own.push(...given);
        return isRejected(given, 'attested', 'no') ? [document] : [];
      });
      count('unbound', rejected.length);
      if (rejected.length === 0) return [answer];
      const left = documents?.filter((document) => !rejected.includes(document));
      if (left?.length === 0) return [];
      return [{ ...answer, documents: left, spans: spans.filter(({ document }) => !rejected.includes(document)) }];
    });
    if (own.length > 0) count('reviewed');
    const grades = own.flatMap(({ field, value }) => (field === 'importance' ? [levelOf(field, value)] : []));
    const median = grades.sort((a, b) => a - b).at(Math.floor((grades.length - 1) / 2));
    const before = nugget.importance ?? 'vital';
    const grade = median === undefined ? before : SCALES.importance[median];
    if (answers.length === 0 || grade === 'unwanted') {
      count('dropped');
      return [];
    }
    if (grade === before) return [{ ...nugget, answers }];
    count('regraded');
    return [{ ...nugget, answers, importance: grade }];
  }

  const cases = set.cases.map((each) => ({
    ...each,
    ...(each.nuggets && { nuggets: each.nuggets.flatMap((one) => reviewed(each.id, one)) }),
    ...(each.keyPoints && { keyPoints: each.keyPoints.flatMap((one) => reviewedPoint(each.id, one)) }),
  }));
  return { set: { ...set, cases }, counts: counts() };
}
