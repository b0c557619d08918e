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
  readonly text: unknown;
  readonly verdicts: readonly string[];
  record(places: readonly number[]): JudgedRecord;
}

export interface DrawnVerdicts {
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
    const records = own.flatMap((text) => {
      const places = chosen.filter((thing) => thing.text === text).map(({ place }) => place);
      return places.length === 0 ? [] : [text.record(places)];
    });
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
  const waiting = [...groupBy(things, ({ verdict }) => verdict)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([verdict, of]) => ({
      verdict,
      of: of.length,
      queue: of.toSorted((a, b) => (tickets.get(a) ?? 0) - (tickets.get(b) ?? 0)),
    }));
  const chosen = new Set<Thing>();
  for (let round = 0; chosen.size < Math.min(count, things.length); round++) {
    for (const { queue } of waiting) if (round < queue.length && chosen.size < count) chosen.add(queue[round]);
  }
  return {
    chosen: things.filter((thing) => chosen.has(thing)),
    drawn: waiting.map(({ verdict, of, queue }) => ({
      verdict,
      drawn: queue.filter((thing) => chosen.has(thing)).length,
      of,
    })),
  };
}

const ANSWERS = { none: 'not answered', other: 'answered otherwise', same: 'answered alike' } as const;
const ENTAILED = ['not entailed', 'entailed'] as const;
const REPORTED = ['not reported', 'reported'] as const;

function textsOf(request: EvaluationRequest, { id, system, verdicts }: JudgedOutput): JudgedText[] {
  // The judge read texts without markers.
  const said = metricOf(request.metric).said(request);
  if (said.every((text) => text.trim() === '')) return [];
  switch (request.metric) {
    case 'source-coverage':
      return [
        {
          ...{ task: 'answers', text: said },
          verdicts: (verdicts.answers ?? []).map((answer) => ANSWERS[answer]),
          record: (places) => ({
            ...{ task: 'answers', id, system, summary: said[0] },
            questions: places.map((place) => {
              const { question, answer } = request.questions[place];
              return { question, answer };
            }),
          }),
        },
      ];
    case 'key-point-recall':
      return [
        {
          ...{ task: 'entailment', text: said },
          verdicts: (verdicts.entailed ?? []).map((entailed) => ENTAILED[Number(entailed)]),
          record: (places) => ({
            ...{ task: 'entailment', id, system, text: said[0] },
            claims: places.map((place) => ({ claim: request.keyPoints[place] })),
          }),
        },
      ];
    case 'argue':
      return verdicts.outcomes === undefined || verdicts.outcomes.length === 0
        ? []
        : [
            wholeReport(request, said, { id, system, verdicts }),
            ...bySentence(request, said, { id, system, verdicts }),
          ];
    case 'summhay':
      return [];
  }
}

type ReportRequest = Extract<EvaluationRequest, { readonly metric: 'argue' }>;
type Judged = Pick<JudgedOutput, 'id' | 'system' | 'verdicts'>;

function wholeReport(
  { request, report, nuggets, documents }: ReportRequest,
  said: readonly string[],
  { id, system, verdicts: { outcomes = [] } }: Judged,
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
      ...{ task: 'argue', id, system, request, sentences, ask: [...ask] },
      // Nuggets of a set have spans; records do not.
      nuggets: nuggets.map(({ answers, ...nugget }) => ({
        ...nugget,
        answers: answers?.map(({ text, documents: ids }) => ({ text, documents: ids && [...ids] })),
      })),
      documents: documents.filter((document) => read.has(document.id)),
    }),
  };
}

/** Skips sentences that need no citation. */
function bySentence(
  { nuggets }: ReportRequest,
  said: readonly string[],
  { id, system, verdicts: { outcomes = [], reported = [] } }: Judged,
): JudgedText[] {
  const shown = nuggets.map(({ question, answers = [] }) => ({ question, answers: answers.map(({ text }) => text) }));
  return reported.flatMap((own, place): JudgedText[] => {
    if (outcomes[place] === 4) return [];
    return [
      {
        ...{ task: 'nuggets', text: said[place] },
        verdicts: nuggets.map((nugget) => REPORTED[Number(own.includes(nugget.id))]),
        record: (ask) => ({
          ...{ task: 'nuggets', id: `${id}, sentence ${place + 1}`, system, sentence: said[place] },
          ...{ nuggets: shown, ask: [...ask] },
        }),
      },
    ];
  });
}
