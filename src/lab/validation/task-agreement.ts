import type { DigestDeps } from '../../digest/index.ts';
import { evaluate, type Judge, type JudgeRequest, judgeOf } from '../../evaluation/index.ts';
import { addUsage, type CallUsage, NO_USAGE } from '../../models/index.ts';
import { groupBy } from '../../text/index.ts';
import { cohensKappa } from '../agreement/agreement-of.ts';
import { type Decision, type Field, levelOf, SCALES } from '../annotation/label.ts';
import { type Estimate, estimate, estimateMean } from '../results/estimate.ts';
import { pearson } from './correlation.ts';
import { itemsOfRecord, type JudgedItem, type JudgedRecord } from './judged-record.ts';

/** How far a judge agrees with people on one thing that it is asked. */
export interface TaskAgreement {
  readonly field: Field;
  readonly items: number;
  readonly records: number;
  /** Share of the items on which both say the same, 0 to 1. */
  readonly agreement: Estimate;
  readonly kappa: Estimate;
  /** Pearson's of the two; of yes and no it is phi. Null for outcomes, which have no order. */
  readonly correlation: Estimate | null;
  /** Of the judge's yes, and of people's; null for outcomes. */
  readonly precision: Estimate | null;
  readonly recall: Estimate | null;
  /** Items by people's answer (rows) and the judge's, in the order of the scale. */
  readonly confusion: readonly (readonly number[])[];
}

/** An item with both verdicts, as levels of its field's scale. */
export interface DecidedItem {
  readonly field: Field;
  /** What it is resampled with. */
  readonly record: string;
  readonly human: number;
  readonly judge: number;
}

/** The agreement on every field; intervals are 95% bootstrap intervals over records. */
export function taskAgreement(items: readonly DecidedItem[]): TaskAgreement[] {
  return [...groupBy(items, ({ field }) => field)].map(([field, own]) => {
    const categories = SCALES[field].length;
    const clusters = own.map(({ record }) => record);
    const [humans, judges] = [own.map(({ human }) => human), own.map(({ judge }) => judge)];
    const shareOf = (among: readonly DecidedItem[]) =>
      estimateMean(
        among.map(({ human, judge }) => Number(human === judge)),
        among.map(({ record }) => record),
      );
    const isBinary = categories === 2;
    const scale = Array.from({ length: categories }, (_, level) => level);
    return {
      field,
      items: own.length,
      records: new Set(clusters).size,
      agreement: shareOf(own),
      kappa: estimate(clusters, cohensKappa(humans, judges, categories)),
      correlation: isBinary ? estimate(clusters, (weights) => pearson(humans, judges, weights)) : null,
      precision: isBinary ? shareOf(own.filter(({ judge }) => judge === 1)) : null,
      recall: isBinary ? shareOf(own.filter(({ human }) => human === 1)) : null,
      confusion: scale.map((row) =>
        scale.map((column) => own.filter(({ human, judge }) => human === row && judge === column).length),
      ),
    };
  });
}

/** What people said of every item: the label file's majority, the lower of equals, or else the record's own. */
export function humanLevels(
  records: readonly JudgedRecord[],
  decisions: readonly Decision[],
): (JudgedItem & { readonly level: number })[] {
  const byItem = groupBy(decisions, ({ item, field }) => JSON.stringify([item, field]));
  return records.flatMap(itemsOfRecord).flatMap((item) => {
    const given = (byItem.get(JSON.stringify([item.item, item.field])) ?? []).map(({ value }) =>
      levelOf(item.field, value),
    );
    const level = given.length > 0 ? majority(given) : item.human === null ? -1 : levelOf(item.field, item.human);
    return level < 0 ? [] : [{ ...item, level }];
  });
}

function majority(levels: readonly number[]): number {
  const counts = [...groupBy(levels, (level) => level)].map(([level, same]) => ({ level, count: same.length }));
  return counts.sort((a, b) => b.count - a.count || a.level - b.level)[0].level;
}

/** The level that a judge gives an item of a record. */
type Verdicts = (place: number, field: Field) => number;

/**
 * Asks a judge about everything in a record.
 *
 * @throws whatever the judge fails with
 */
export async function judgeRecord(
  record: JudgedRecord,
  request: JudgeRequest,
  deps: DigestDeps,
  signal: AbortSignal,
): Promise<{ readonly verdicts: Verdicts; readonly usage: CallUsage & { readonly reusedVerdicts: number } }> {
  if (record.task === 'argue') {
    const { nuggets, documents, options, sentences } = record;
    const report = { sentences: sentences.map(({ text, citations }) => ({ text, citations })) };
    const asked = { metric: 'argue' as const, request: record.request, report, nuggets, documents, options };
    const answer = await evaluate({ ...asked, ...request }, deps, { signal });
    if (answer.metric !== 'argue') throw new TypeError('a report was scored by another metric');
    return { verdicts: (place) => answer.sentences[place].outcome - 1, usage: answer.usage };
  }
  const judge = judgeOf(request, deps, { signal });
  const verdicts = await verdictsOf(record, judge);
  return { verdicts, usage: judge.usage() };
}

async function verdictsOf(record: Exclude<JudgedRecord, { task: 'argue' }>, judge: Judge): Promise<Verdicts> {
  if (record.task === 'answers') {
    const said = await judge.answered(record.summary, record.questions);
    return (place, field) => Number(field === 'answerable' ? said[place].answerable : said[place].matches);
  }
  if (record.task === 'entailment') {
    const said = await judge.entailment(record.claims.map(({ claim }) => ({ claim, texts: [record.text] })));
    return (place) => Number(said[place].holds);
  }
  const nuggets = record.nuggets.map(({ question, answers }, place) => ({
    id: String(place),
    question,
    answers: answers.map((text) => ({ text })),
  }));
  const [reported] = await judge.reported([record.sentence], nuggets);
  return (place) => Number(reported.includes(place));
}

/** What several judgings took. */
export function usageOf(all: readonly { readonly usage: CallUsage & { readonly reusedVerdicts: number } }[]) {
  return {
    ...all.map(({ usage }) => usage).reduce<CallUsage>(addUsage, NO_USAGE),
    reusedVerdicts: all.reduce((sum, { usage }) => sum + usage.reusedVerdicts, 0),
  };
}
