import { type EvaluationRequest, metricOf } from '../../evaluation/index.ts';
import { seededRandom } from '../../selection/index.ts';
import { contentHash, groupBy } from '../../text/index.ts';
import type { BenchmarkCase, Collection } from '../benchmark-set.ts';
import type { OutputVerdicts } from '../run/output-verdicts.ts';
import { requestsOf } from '../run/score-output.ts';
import type { SystemOutput } from '../run/system-output.ts';
import type { JudgedRecord } from './judged-record.ts';

/** An output of a run, with what its judge said of it. */
export interface JudgedOutput {
  /** Names the case among those of all sets. */
  readonly id: string;
  readonly system: string;
  readonly case: BenchmarkCase;
  readonly collection: Collection;
  readonly output: Pick<SystemOutput, 'sentences' | 'given'>;
  readonly verdicts: OutputVerdicts;
}

/** A text of an output with what was judged of it. */
interface JudgedText {
  readonly task: JudgedRecord['task'];
  /** The same for texts of which the same is asked. */
  readonly key: string;
  /** What the judge said of each thing. */
  readonly verdicts: readonly string[];
  /** The record that asks people for the things at these places, in order. */
  record(places: readonly number[]): JudgedRecord;
}

/** How many there were of a verdict of a task, and how many of these were drawn. */
export interface DrawnVerdicts {
  readonly task: JudgedRecord['task'];
  readonly verdict: string;
  readonly drawn: number;
  readonly of: number;
}

/**
 * Records of what a judge decided in a run, for people to decide without knowing what it said. Of each task so many things are drawn,
 * as many of each verdict as there are, each as likely as any other of its verdict; where two systems said the same, one of them. A
 * larger number with the same seed draws the same and more.
 *
 * @param count things of each task
 */
export function recordsOfRun(
  outputs: readonly JudgedOutput[],
  count: number,
  seed: number,
): { readonly records: readonly JudgedRecord[]; readonly drawn: readonly DrawnVerdicts[] } {
  const texts = new Map(outputs.flatMap(judgedTexts).map((each) => [each.key, each]));
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

/** So many of some things, as evenly over their verdicts as there are enough of each; in their order. */
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

function keyOf(task: JudgedRecord['task'], ...parts: readonly unknown[]): string {
  return contentHash(JSON.stringify([task, ...parts]));
}

function judgedTexts(judged: JudgedOutput): JudgedText[] {
  return requestsOf(judged.output, judged.case, judged.collection).flatMap((request) => textsOf(request, judged));
}

function textsOf(request: EvaluationRequest, { id, system, verdicts }: JudgedOutput): JudgedText[] {
  // As the judge read them: without markers.
  const said = metricOf(request.metric).said(request);
  // Nothing is asked of a text that says nothing.
  if (said.every((text) => text.trim() === '')) return [];
  switch (request.metric) {
    case 'source-coverage':
      return [
        {
          task: 'answers',
          key: keyOf('answers', id, said),
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
          task: 'entailment',
          key: keyOf('entailment', id, said),
          verdicts: (verdicts.entailed ?? []).map((entailed) => ENTAILED[Number(entailed)]),
          record: (places) => ({
            ...{ task: 'entailment', id, system, text: said[0] },
            claims: places.map((place) => ({ claim: request.keyPoints[place] })),
          }),
        },
      ];
    case 'argue':
      return textsOfReport(request, said, { id, system, verdicts });
    case 'summhay':
      return [];
  }
}

type ReportRequest = Extract<EvaluationRequest, { readonly metric: 'argue' }>;

/** A report as one text of which its sentences are judged, and each sentence as one of which the nuggets are. */
function textsOfReport(
  { request, report, nuggets, documents }: ReportRequest,
  said: readonly string[],
  { id, system, verdicts: { outcomes = [], reported = [] } }: Pick<JudgedOutput, 'id' | 'system' | 'verdicts'>,
): JudgedText[] {
  const sentences = said.map((text, place) => ({ text, citations: [...report.sentences[place].citations] }));
  // What is neither cited nor known to attest an answer decides nothing, and would be read in vain.
  const read = new Set([
    ...sentences.flatMap(({ citations }) => citations),
    ...nuggets.flatMap(({ answers = [] }) => answers.flatMap(({ documents: ids = [] }) => ids)),
  ]);
  const whole: JudgedText = {
    task: 'argue',
    key: keyOf('argue', id, sentences),
    verdicts: outcomes.map((outcome) => `outcome ${outcome}`),
    record: (ask) => ({
      ...{ task: 'argue', id, system, request, sentences },
      nuggets: nuggets.map(({ answers, ...nugget }) => ({
        ...nugget,
        // Those of a set say where it stands, too.
        answers: answers?.map(({ text, documents: ids }) => ({ text, documents: ids && [...ids] })),
      })),
      documents: documents.filter((document) => read.has(document.id)),
      ask: [...ask],
    }),
  };
  const shown = nuggets.map(({ question, answers = [] }) => ({ question, answers: answers.map(({ text }) => text) }));
  // One that needs no citation is not asked for nuggets.
  const asked = reported.flatMap((_, place) => (outcomes[place] === 4 ? [] : [place]));
  const bySentence = asked.map(
    (place): JudgedText => ({
      task: 'nuggets',
      key: keyOf('nuggets', id, said[place]),
      verdicts: nuggets.map((nugget) => REPORTED[Number(reported[place].includes(nugget.id))]),
      record: (ask) => ({
        ...{ task: 'nuggets', id: `${id}, sentence ${place + 1}`, system, sentence: said[place] },
        nuggets: shown,
        ask: [...ask],
      }),
    }),
  );
  return outcomes.length === 0 ? [] : [whole, ...bySentence];
}
