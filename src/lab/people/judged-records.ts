import { z } from 'zod';
import { type Field, SCALES, type TypeOf, text } from '../../contract/index.ts';
import { argue, nugget } from '../../evaluation/index.ts';
import { contentHash } from '../../text/index.ts';
import { BadRecordsError, checkRecords, type RecordProblem, splitRecords, type TextFile } from '../check-records.ts';
import { type AnnotationItem, nuggetStatement } from './items.ts';
import { FIELDS } from './labels.ts';

const name = text(500).min(1);
const statement = text(20_000).min(1);
const whole = text(1_000_000).min(1);
const about = { id: name, system: name.optional(), topic: name.optional() };
const verdict = z.boolean().optional();
const several = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).max(1000);
/** Places to judge, from 0; all if absent. The others are context. */
const ask = z.array(z.int().min(0)).min(1).optional();

/** Whether a summary answers each question, and as the reference does (Padmakumar et al. 2025, section 4.2). */
const answersRecord = z.strictObject({
  task: z.literal('answers'),
  ...about,
  summary: whole,
  questions: several(
    z.strictObject({
      question: statement,
      answer: statement,
      human: z.strictObject({ answerable: z.boolean(), correct: z.boolean() }).optional(),
    }),
  ),
});

/** How far the bullets of a summary cover each insight (Laban et al. 2024, section 4). */
const coverageRecord = z.strictObject({
  task: z.literal('coverage'),
  ...about,
  bullets: z.array(text(20_000)).min(1).max(1000),
  insights: several(z.strictObject({ text: statement, human: z.literal([0, 0.5, 1]).optional() })),
});

/** Whether a text entails each claim (Qi et al. 2024, section 6.2). */
const entailmentRecord = z.strictObject({
  task: z.literal('entailment'),
  ...about,
  text: whole,
  claims: several(z.strictObject({ claim: statement, human: verdict })),
});

/** Whether a sentence reports each nugget (Mayfield et al. 2024, section 4). */
const nuggetsRecord = z.strictObject({
  task: z.literal('nuggets'),
  ...about,
  sentence: statement,
  nuggets: several(z.strictObject({ question: statement, answers: z.array(statement).max(100), human: verdict })),
  ask,
});

const order = argue.order.shape;

/** The outcome of each sentence of a report (Mayfield et al. 2024, section 4). */
const argueRecord = z.strictObject({
  task: z.literal('argue'),
  ...about,
  request: order.request,
  sentences: several(
    z.strictObject({
      text: statement,
      citations: z.array(name).max(2000),
      human: z.int().min(1).max(8).optional(),
    }),
  ),
  nuggets: z.array(nugget).max(1000),
  documents: order.documents.unwrap(),
  options: order.options,
  ask,
});

/** A question to a judge, with people's verdicts if known. */
export const judgedRecordSchema = z
  .discriminatedUnion('task', [answersRecord, coverageRecord, entailmentRecord, nuggetsRecord, argueRecord])
  .superRefine((record, context) => {
    const { length } = shownOf(record).things;
    const places = 'ask' in record ? (record.ask ?? []) : [];
    places.forEach((place, index) => {
      const isTwice = places.indexOf(place) < index;
      if (place < length && !isTwice) return;
      const message = place >= length ? 'is the place of nothing' : 'is given twice';
      context.addIssue({ code: 'custom', path: ['ask', index], message });
    });
  });
export type JudgedRecord = TypeOf<typeof judgedRecordSchema>;

const level = z.literal([0, 0.5, 1], { error: 'must be 0, 0.5 or 1' });

/** A summary with people's judgements of coverage (Laban et al. 2024, section 4). */
export const labelledSummarySchema = z
  .strictObject({
    id: name.optional(),
    ...{ system: about.system, topic: about.topic },
    bullets: z.array(text(20_000)).max(1000),
    insights: several(
      z.strictObject({
        text: statement.regex(/\S/, 'is blank'),
        human: level,
        /** Bullet that covers the insight, from 0; null if none. */
        bullet: z.int().min(0).nullable(),
        /** Levels by other judges. */
        models: z.record(z.string(), level).optional(),
      }),
    ),
  })
  .superRefine(({ bullets, insights }, context) => {
    insights.forEach(({ bullet }, index) => {
      if (bullet === null || bullet < bullets.length) return;
      context.addIssue({ code: 'custom', path: ['insights', index, 'bullet'], message: 'names none of the bullets' });
    });
  });
export type LabelledSummary = TypeOf<typeof labelledSummarySchema>;

/**
 * @param undone the action that bad records prevent
 * @returns null if the first record names no task
 * @throws BadRecordsError with every problem
 */
export function readJudgedRecords(file: TextFile, undone = 'judged'): JudgedRecord[] | null {
  const [first] = splitRecords(file.path, file.text).placed;
  const value = first?.record;
  if (typeof value !== 'object' || value === null || !('task' in value)) return null;
  const { placed, problems } = checkRecords([file], judgedRecordSchema);
  const seen = new Set<string>();
  const repeated = placed.flatMap(({ where, record: { task, id, system = '' } }): RecordProblem[] => {
    const isNew = seen.size < seen.add(JSON.stringify([task, id, system])).size;
    return isNew ? [] : [{ where, pointer: '/id', detail: `"${id}" came before with this task and system` }];
  });
  if (problems.length + repeated.length > 0) throw new BadRecordsError([...problems, ...repeated], undone);
  return placed.map(({ record }) => record);
}

interface Thing extends Pick<AnnotationItem, 'statement'> {
  readonly human: Partial<Record<Field, string | null>>;
}

interface Shown extends Pick<AnnotationItem, 'kind'> {
  readonly title: string;
  readonly text: string;
  readonly things: readonly Thing[];
}

const yesNo = (value: boolean | undefined) => (value === undefined ? null : value ? 'yes' : 'no');

function shownOf(record: JudgedRecord): Shown {
  switch (record.task) {
    case 'answers':
      return {
        ...{ kind: 'question', title: 'Summary', text: record.summary },
        things: record.questions.map(({ question, answer, human }) => ({
          statement: nuggetStatement(question, answer),
          human: { answerable: yesNo(human?.answerable), correct: yesNo(human?.correct) },
        })),
      };
    case 'coverage':
      return {
        ...{ kind: 'insight', title: 'Bullets', text: record.bullets.map((each) => `- ${each}`).join('\n') },
        things: record.insights.map(({ text: told, human }) => {
          return { statement: told, human: { covered: human === undefined ? null : SCALES.covered[2 * human] } };
        }),
      };
    case 'entailment':
      return {
        ...{ kind: 'claim', title: 'Text', text: record.text },
        things: record.claims.map(({ claim, human }) => ({ statement: claim, human: { entailed: yesNo(human) } })),
      };
    case 'nuggets':
      return {
        ...{ kind: 'nugget', title: 'Sentence', text: record.sentence },
        things: record.nuggets.map(({ question, answers, human }) => ({
          statement: nuggetStatement(question, answers.join(' / ') || NOTHING_KNOWN),
          human: { reported: yesNo(human) },
        })),
      };
    case 'argue':
      return {
        ...{ kind: 'sentence', title: 'Request, nuggets and documents', text: materialOf(record) },
        things: record.sentences.map(({ text: said, citations, human }) => ({
          statement: said + (citations.length === 0 ? ' (cites nothing)' : ` [${citations.join(', ')}]`),
          human: { outcome: human === undefined ? null : SCALES.outcome[human - 1] },
        })),
      };
  }
}

const NOTHING_KNOWN = 'that nothing is known';

function materialOf({ request, nuggets, documents, sentences }: JudgedRecord & { readonly task: 'argue' }): string {
  const answersIn = ({ answers = [] }: (typeof nuggets)[number]) =>
    answers.map(({ text: told, documents: ids = [] }) => `${told} [${ids.join(', ')}]`).join(' / ') || NOTHING_KNOWN;
  return [
    ...(request?.problem === undefined ? [] : [`Request: ${request.problem}`]),
    ['Report:', ...sentences.map(({ text: said, citations }) => `- ${said} [${citations.join(', ')}]`)].join('\n'),
    ['Nuggets:', ...nuggets.map((each) => `- ${each.question} ${answersIn(each)}`)].join('\n'),
    ...documents.map(({ id, text: told }) => `Document ${id}:\n${told}`),
  ].join('\n\n');
}

/** What a record asks people, with their verdicts if it has them; `place` is that among all its things. */
export function askedOf(record: JudgedRecord) {
  const { kind, things, ...shown } = shownOf(record);
  const { task, id, system = null } = record;
  const asked = 'ask' in record ? record.ask : undefined;
  const seen = new Map<string, number>();
  return things.flatMap(({ statement: told, human }, place) => {
    // Number equal statements: places could change with a larger sample.
    const before = seen.get(told) ?? 0;
    seen.set(told, before + 1);
    if (asked !== undefined && !asked.includes(place)) return [];
    const item: AnnotationItem = {
      id: contentHash(JSON.stringify([task, id, system, before, told, shown.text])),
      case: id,
      ...{ query: null, document: { id, ...shown }, spans: [], kind, statement: told, score: null },
      fields: FIELDS.filter((field) => field in human),
    };
    return [{ item, human, place }];
  });
}

export function annotationItems(record: JudgedRecord): AnnotationItem[] {
  return askedOf(record).map(({ item }) => item);
}
