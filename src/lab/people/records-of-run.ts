import { type EvaluationRequest, metricOf } from '../../evaluation/index.ts';
import { contentHash, groupBy } from '../../text/index.ts';
import type { BenchmarkCase, Collection } from '../benchmark-set.ts';
import { requestsOf } from '../run/score-output.ts';
import type { SystemOutput } from '../run/system-output.ts';
import { drawItems } from './items.ts';
import type { JudgedRecord } from './judged-records.ts';

export interface JudgedOutput {
  readonly id: string;
  readonly system: string;
  readonly case: BenchmarkCase;
  readonly collection: Collection;
  readonly output: Pick<SystemOutput, 'sentences' | 'given'>;
}

interface JudgedText {
  readonly task: JudgedRecord['task'];
  /** What was judged, to find equal texts. */
  readonly text: unknown;
  readonly items: number;
  record(places: readonly number[]): JudgedRecord;
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
  const texts = new Map(
    outputs.flatMap((judged) =>
      requestsOf(judged.output, judged.case, judged.collection)
        .flatMap((request) => textsOf(request, judged))
        .map((each) => [contentHash(JSON.stringify([each.task, judged.id, each.text])), each]),
    ),
  );
  const records: JudgedRecord[] = [];
  const drawn: DrawnItems[] = [];
  for (const [task, own] of groupBy([...texts.values()], (text) => text.task)) {
    const items: { text: JudgedText; place: number; verdict: string }[] = [];
    for (const text of own) {
      const places = Array.from({ length: text.items }, (_, place) => place);
      const verdictAt = await verdictsOf(text.record(places));
      items.push(...places.map((place) => ({ text, place, verdict: verdictAt(place) })));
    }
    const chosen = drawItems(items, count, seed, ({ verdict }) => verdict);
    for (const [text, some] of groupBy(chosen, (item) => item.text)) {
      records.push(text.record(some.map(({ place }) => place)));
    }
    drawn.push({ task, drawn: chosen.length, of: items.length });
  }
  return { records, drawn };
}

function textsOf(request: EvaluationRequest, { id, system }: JudgedOutput): JudgedText[] {
  // The judge read texts without markers.
  const said = metricOf(request.metric).said(request);
  if (request.metric === 'summhay' || said.every((text) => text.trim() === '')) return [];
  if (request.metric === 'source-coverage') {
    const questions = request.questions.map(({ question, answer }) => ({ question, answer }));
    const record: JudgedText['record'] = (places) => ({
      ...{ task: 'answers', id, system, summary: said[0] },
      questions: places.map((place) => questions[place]),
    });
    return [{ task: 'answers', text: said, items: questions.length, record }];
  }
  if (request.metric === 'key-point-recall') {
    const record: JudgedText['record'] = (places) => ({
      ...{ task: 'entailment', id, system, text: said[0] },
      claims: places.map((place) => ({ claim: request.keyPoints[place] })),
    });
    return [{ task: 'entailment', text: said, items: request.keyPoints.length, record }];
  }
  const nuggets = request.nuggets.map(({ question, answers = [] }) => {
    return { question, answers: answers.map(({ text }) => text) };
  });
  const bySentence = said.map((sentence, place): JudgedText => {
    const of = `${id}, sentence ${place + 1}`;
    const record: JudgedText['record'] = (ask) => {
      return { task: 'nuggets', id: of, system, sentence, nuggets, ask: [...ask] };
    };
    return { task: 'nuggets', text: sentence, items: nuggets.length, record };
  });
  return [wholeReport(request, said, { id, system }), ...bySentence];
}

function wholeReport(
  { request, report, nuggets, documents }: Extract<EvaluationRequest, { readonly metric: 'argue' }>,
  said: readonly string[],
  of: Pick<JudgedOutput, 'id' | 'system'>,
): JudgedText {
  const sentences = said.map((text, place) => ({ text, citations: [...report.sentences[place].citations] }));
  const read = new Set([
    ...sentences.flatMap(({ citations }) => citations),
    ...nuggets.flatMap(({ answers = [] }) => answers.flatMap(({ documents: ids = [] }) => ids)),
  ]);
  return {
    ...{ task: 'argue', text: sentences, items: sentences.length },
    record: (ask) => ({
      ...{ task: 'argue', ...of, request, sentences, ask: [...ask] },
      // Nuggets of a set have spans; records do not.
      nuggets: nuggets.map(({ answers, ...nugget }) => ({
        ...nugget,
        answers: answers?.map(({ text, documents: ids }) => ({ text, documents: ids && [...ids] })),
      })),
      documents: documents.filter((document) => read.has(document.id)),
    }),
  };
}
