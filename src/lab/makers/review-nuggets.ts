import { SCALES } from '../../contract/index.ts';
import { groupBy } from '../../text/index.ts';
import type { BenchmarkSet, CaseNugget } from '../benchmark-set.ts';
import { itemId, nuggetStatement } from '../people/items.ts';
import { type Decision, levelOf } from '../people/labels.ts';
import { tally } from './asked-model.ts';

/**
 * Removes documents that most annotators reject, answers without documents, and empty or rejected nuggets. Importance is
 * the lower median of the grades.
 * @param decisions one for each item, annotator and field
 */
export function reviewNuggets(set: BenchmarkSet, decisions: readonly Decision[]) {
  const { counts, count } = tally();
  const byItem = groupBy(decisions, ({ item }) => item);

  function reviewed(caseId: string, nugget: CaseNugget): CaseNugget[] {
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

  const cases = set.cases.map((each) =>
    each.nuggets === undefined ? each : { ...each, nuggets: each.nuggets.flatMap((one) => reviewed(each.id, one)) },
  );
  return { set: { ...set, cases }, counts: counts() };
}
