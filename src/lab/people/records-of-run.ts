import { type EvaluationRequest, metricOf } from '../../evaluation/index.ts';
import { contentHash, groupBy } from '../../text/index.ts';
import type { BenchmarkCase, Collection } from '../benchmark-set.ts';
import { requestsOf } from '../run/score-output.ts';
import type { SystemOutput } from '../run/system-output.ts';
import { drawItems } from './items.ts';
import { annotationItems, type JudgedRecord } from './judged-records.ts';

export interface JudgedOutput {
  readonly id: string;
  readonly system: string;
  readonly case: BenchmarkCase;
  readonly collection: Collection;
  readonly output: Pick<SystemOutput, 'sentences' | 'given'>;
}

interface DrawnItems {
  readonly task: JudgedRecord['task'];
  readonly drawn: number;
  readonly of: number;
}

/**
 * Records for people to judge what a judge of the run was asked, drawn evenly over its verdicts: agreement by chance
 * needs the rare ones too. Equal texts count once. A larger count with the same seed draws a superset.
 * @param count items per task
 * @param verdictsOf the judge's verdicts by place
 */
export async function recordsOfRun(
  outputs: readonly JudgedOutput[],
  count: number,
  seed: number,
  verdictsOf: (record: JudgedRecord) => Promise<(place: number) => string>,
): Promise<{ readonly records: readonly JudgedRecord[]; readonly drawn: readonly DrawnItems[] }> {
  const whole = new Map(
    outputs.flatMap((judged) =>
      requestsOf(judged.output, judged.case, judged.collection)
        .flatMap((request) => recordsFor(request, judged))
        .map((record) => [contentHash(JSON.stringify({ ...record, id: judged.id, system: null })), record]),
    ),
  );
  const records: JudgedRecord[] = [];
  const drawn: DrawnItems[] = [];
  for (const [task, own] of groupBy([...whole.values()], (record) => record.task)) {
    const items: { record: JudgedRecord; place: number; verdict: string }[] = [];
    for (const record of own) {
      const verdictAt = await verdictsOf(record);
      items.push(...annotationItems(record).map((_, place) => ({ record, place, verdict: verdictAt(place) })));
    }
    const chosen = drawItems(items, count, seed, ({ verdict }) => verdict);
    for (const [record, some] of groupBy(chosen, (item) => item.record)) {
      records.push(
        askingOnly(
          record,
          some.map(({ place }) => place),
        ),
      );
    }
    drawn.push({ task, drawn: chosen.length, of: items.length });
  }
  return { records, drawn };
}

function askingOnly(record: JudgedRecord, ask: number[]): JudgedRecord {
  if (record.task === 'answers') return { ...record, questions: ask.map((place) => record.questions[place]) };
  if (record.task === 'coverage') return { ...record, insights: ask.map((place) => record.insights[place]) };
  if (record.task === 'entailment') return { ...record, claims: ask.map((place) => record.claims[place]) };
  return { ...record, ask };
}

/** Records of all that a request asks of a judge. */
function recordsFor(request: EvaluationRequest, { id, system }: JudgedOutput): JudgedRecord[] {
  // The judge read texts without markers.
  const said = metricOf(request.metric).said(request);
  if (said.every((text) => text.trim() === '')) return [];
  const of = { id, system };
  if (request.metric === 'summhay') {
    const bullets = said.filter((text) => text.trim() !== '');
    return [{ task: 'coverage', ...of, bullets, insights: request.insights.map(({ text }) => ({ text })) }];
  }
  if (request.metric === 'source-coverage') {
    const questions = request.questions.map(({ question, answer }) => ({ question, answer }));
    return [{ task: 'answers', ...of, summary: said[0], questions }];
  }
  if (request.metric === 'key-point-recall') {
    return [{ task: 'entailment', ...of, text: said[0], claims: request.keyPoints.map((claim) => ({ claim })) }];
  }
  const nuggets = request.nuggets.map(({ question, answers = [] }) => {
    return { question, answers: answers.map(({ text }) => text) };
  });
  const bySentence = said.map((sentence, place): JudgedRecord => {
    return { task: 'nuggets', id: `${id}, sentence ${place + 1}`, system, sentence, nuggets };
  });
  return [wholeReport(request, said, of), ...bySentence];
}

function wholeReport(
  { request, report, nuggets, documents }: Extract<EvaluationRequest, { readonly metric: 'argue' }>,
  said: readonly string[],
  of: Pick<JudgedOutput, 'id' | 'system'>,
): JudgedRecord {
  const sentences = said.map((text, place) => ({ text, citations: [...report.sentences[place].citations] }));
  const read = new Set([
    ...sentences.flatMap(({ citations }) => citations),
    ...nuggets.flatMap(({ answers = [] }) => answers.flatMap(({ documents: ids = [] }) => ids)),
  ]);
  return {
    ...{ task: 'argue', ...of, request, sentences },
    // Nuggets of a set have spans; records do not.
    nuggets: nuggets.map(({ answers, ...nugget }) => ({
      ...nugget,
      answers: answers?.map(({ text, documents: ids }) => ({ text, documents: ids && [...ids] })),
    })),
    documents: documents.filter((document) => read.has(document.id)),
  };
}
