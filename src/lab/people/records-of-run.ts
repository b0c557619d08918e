import { type EvaluationRequest, metricOf } from '../../evaluation/index.ts';
import { seededRandom } from '../../selection/index.ts';
import { contentHash, groupBy } from '../../text/index.ts';
import type { BenchmarkCase, Collection } from '../benchmark-set.ts';
import { type OutputVerdicts, requestsOf } from '../run/score-output.ts';
import type { SystemOutput } from '../run/system-output.ts';
import type { JudgedRecord } from './judged-records.ts';

export interface JudgedOutput {
  readonly id: string;
  readonly system: string;
  readonly case: BenchmarkCase;
  readonly collection: Collection;
  readonly output: Pick<SystemOutput, 'sentences' | 'given'>;
  readonly verdicts: OutputVerdicts;
}

interface JudgedText {
  readonly task: JudgedRecord['task'];
  /** What was judged, to find equal texts. */
  readonly text: unknown;
  readonly verdicts: readonly string[];
  record(places: readonly number[]): JudgedRecord;
}

interface DrawnVerdicts {
  readonly task: JudgedRecord['task'];
  readonly verdict: string;
  readonly drawn: number;
  readonly of: number;
}

/**
 * Records for people to judge without the judge's verdicts, drawn evenly over verdicts. Equal texts count once. A
 * larger count with the same seed draws a superset.
 * @param count items per task
 */
export function recordsOfRun(
  outputs: readonly JudgedOutput[],
  count: number,
  seed: number,
): { readonly records: readonly JudgedRecord[]; readonly drawn: readonly DrawnVerdicts[] } {
  const texts = new Map(
    outputs.flatMap((judged) =>
      requestsOf(judged.output, judged.case, judged.collection)
        .flatMap((request) => textsOf(request, judged))
        .map((each) => [contentHash(JSON.stringify([each.task, judged.id, each.text])), each]),
    ),
  );
  const parts = [...groupBy([...texts.values()], ({ task }) => task)].map(([task, own]) => {
    const things = own.flatMap((text) => text.verdicts.map((verdict, place) => ({ text, place, verdict })));
    const { drawn, chosen } = drawBalanced(things, count, seed);
    const byText = groupBy(chosen, ({ text }) => text);
    const records = [...byText].map(([text, places]) => text.record(places.map(({ place }) => place)));
    return { records, drawn: drawn.map((each) => ({ task, ...each })) };
  });
  return { records: parts.flatMap(({ records }) => records), drawn: parts.flatMap(({ drawn }) => drawn) };
}

export function drawBalanced<Thing extends { readonly verdict: string }>(
  things: readonly Thing[],
  count: number,
  seed: number,
): { readonly chosen: readonly Thing[]; readonly drawn: readonly Omit<DrawnVerdicts, 'task'>[] } {
  const random = seededRandom(seed);
  const tickets = new Map(things.map((thing) => [thing, random()]));
  const queues = [...groupBy(things, ({ verdict }) => verdict)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([verdict, own]) => {
      return { verdict, queue: own.toSorted((a, b) => (tickets.get(a) ?? 0) - (tickets.get(b) ?? 0)) };
    });
  const chosen = new Set<Thing>();
  for (let round = 0; chosen.size < Math.min(count, things.length); round++) {
    for (const { queue } of queues) if (round < queue.length && chosen.size < count) chosen.add(queue[round]);
  }
  return {
    chosen: things.filter((thing) => chosen.has(thing)),
    drawn: queues.map(({ verdict, queue }) => {
      return { verdict, drawn: queue.filter((thing) => chosen.has(thing)).length, of: queue.length };
    }),
  };
}

const ANSWERS = { none: 'not answered', other: 'answered otherwise', same: 'answered alike' } as const;

function textsOf(request: EvaluationRequest, { id, system, verdicts }: JudgedOutput): JudgedText[] {
  // The judge read texts without markers.
  const said = metricOf(request.metric).said(request);
  if (said.every((text) => text.trim() === '')) return [];
  const { answers = [], entailed = [], outcomes = [], reported = [] } = verdicts;
  switch (request.metric) {
    case 'source-coverage': {
      const questions = request.questions.map(({ question, answer }) => ({ question, answer }));
      return [
        {
          ...{ task: 'answers', text: said, verdicts: answers.map((answer) => ANSWERS[answer]) },
          record: (places) => ({
            ...{ task: 'answers', id, system, summary: said[0] },
            questions: places.map((place) => questions[place]),
          }),
        },
      ];
    }
    case 'key-point-recall':
      return [
        {
          ...{ task: 'entailment', text: said },
          verdicts: entailed.map((isEntailed) => (isEntailed ? 'entailed' : 'not entailed')),
          record: (places) => ({
            ...{ task: 'entailment', id, system, text: said[0] },
            claims: places.map((place) => ({ claim: request.keyPoints[place] })),
          }),
        },
      ];
    case 'argue': {
      if (outcomes.length === 0) return [];
      const nuggets = request.nuggets.map(({ question, answers: own = [] }) => {
        return { question, answers: own.map(({ text }) => text) };
      });
      const bySentence = said.flatMap((sentence, place): JudgedText[] => {
        // Needs no citation.
        if (outcomes[place] === 4) return [];
        const told = request.nuggets.map((nugget) => reported[place]?.includes(nugget.id) ?? false);
        return [
          {
            ...{ task: 'nuggets', text: sentence },
            verdicts: told.map((isTold) => (isTold ? 'reported' : 'not reported')),
            record: (ask) => {
              const sentenceId = `${id}, sentence ${place + 1}`;
              return { task: 'nuggets', id: sentenceId, system, sentence, nuggets, ask: [...ask] };
            },
          },
        ];
      });
      return [wholeReport(request, said, outcomes, { id, system }), ...bySentence];
    }
    case 'summhay':
      return [];
  }
}

function wholeReport(
  { request, report, nuggets, documents }: Extract<EvaluationRequest, { readonly metric: 'argue' }>,
  said: readonly string[],
  outcomes: readonly number[],
  of: Pick<JudgedOutput, 'id' | 'system'>,
): JudgedText {
  const sentences = said.map((text, place) => ({ text, citations: [...report.sentences[place].citations] }));
  const read = new Set([
    ...sentences.flatMap(({ citations }) => citations),
    ...nuggets.flatMap(({ answers = [] }) => answers.flatMap(({ documents: ids = [] }) => ids)),
  ]);
  return {
    ...{ task: 'argue', text: sentences },
    verdicts: outcomes.map((outcome) => `outcome ${outcome}`),
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
