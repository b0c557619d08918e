import { z } from 'zod';
import { type TypeOf, text } from '../../contract/index.ts';
import { argue, nugget } from '../../evaluation/index.ts';
import { contentHash } from '../../text/index.ts';
import type { AnnotationItem } from '../annotation/items-of.ts';
import { type Field, SCALES } from '../annotation/label.ts';

const name = text(500).min(1);
const statement = text(20_000).min(1);
const whole = text(1_000_000).min(1);
const about = { id: name, system: name.optional(), topic: name.optional() };
const verdict = z.boolean().optional();
/** Places, from 0, of what is to be judged; all where absent. The others only stand by. */
const ask = z.array(z.int().min(0)).min(1).optional();

/** A summary and questions: whether it answers each, and as the reference does (Padmakumar et al. 2025, section 4.2). */
const answersRecord = z.strictObject({
  task: z.literal('answers'),
  ...about,
  summary: whole,
  questions: z
    .array(
      z.strictObject({
        question: statement,
        answer: statement,
        human: z.strictObject({ answerable: z.boolean(), correct: z.boolean() }).optional(),
      }),
    )
    .min(1)
    .max(1000),
});

/** A text and claims: whether it entails each (Qi et al. 2024, section 6.2). */
const entailmentRecord = z.strictObject({
  task: z.literal('entailment'),
  ...about,
  text: whole,
  claims: z
    .array(z.strictObject({ claim: statement, human: verdict }))
    .min(1)
    .max(1000),
});

/** A sentence and nuggets: whether it reports each (Mayfield et al. 2024, section 4). */
const nuggetsRecord = z.strictObject({
  task: z.literal('nuggets'),
  ...about,
  sentence: statement,
  nuggets: z
    .array(z.strictObject({ question: statement, answers: z.array(statement).max(100), human: verdict }))
    .min(1)
    .max(1000),
  ask,
});

const order = argue.order.shape;

/** A report: the outcome of each of its sentences (Mayfield et al. 2024, section 4). */
const argueRecord = z.strictObject({
  task: z.literal('argue'),
  ...about,
  request: order.request,
  sentences: z
    .array(
      z.strictObject({
        text: statement,
        citations: z.array(name).max(2000),
        human: z.int().min(1).max(8).optional(),
      }),
    )
    .min(1)
    .max(1000),
  nuggets: z.array(nugget).max(1000),
  documents: order.documents.unwrap(),
  options: order.options,
  ask,
});

/** What a judge is asked beside coverage, with people's verdicts where there are any. */
export const judgedRecordSchema = z
  .discriminatedUnion('task', [answersRecord, entailmentRecord, nuggetsRecord, argueRecord])
  .superRefine((record, context) => {
    const { count, ask = [] } = askable(record);
    ask.forEach((place, index) => {
      const message =
        place >= count ? 'is the place of nothing' : ask.indexOf(place) < index ? 'is given twice' : undefined;
      if (message !== undefined) context.addIssue({ code: 'custom', path: ['ask', index], message });
    });
  });
export type JudgedRecord = TypeOf<typeof judgedRecordSchema>;

/** One thing that people and a judge decide. */
export interface JudgedItem {
  readonly field: Field;
  /** Id of the item that annotators are shown for it. */
  readonly item: string;
  /** What people said in the file: an answer of the field's scale; null where nothing. */
  readonly human: string | null;
  /** Place of its record, and of it in that. */
  readonly record: number;
  readonly place: number;
}

/** What there is to decide of a record, in its order. */
export function itemsOfRecord(record: JudgedRecord, place: number): JudgedItem[] {
  return placedItems(record).flatMap(({ item: { id, fields }, place: at }) =>
    fields.map((field) => ({ field, item: id, human: humanOf(record, at, field), record: place, place: at })),
  );
}

/** How many things a record holds, and which of them are to be judged: all where absent. */
function askable(record: JudgedRecord): { readonly count: number; readonly ask?: readonly number[] | undefined } {
  switch (record.task) {
    case 'answers':
      return { count: record.questions.length };
    case 'entailment':
      return { count: record.claims.length };
    case 'nuggets':
      return { count: record.nuggets.length, ask: record.ask };
    case 'argue':
      return { count: record.sentences.length, ask: record.ask };
  }
}

/** The items of a record that are to be judged, with their places in it. */
function placedItems(record: JudgedRecord): { readonly item: AnnotationItem; readonly place: number }[] {
  const { ask } = askable(record);
  return everyItem(record).flatMap((item, place) =>
    ask === undefined || ask.includes(place) ? [{ item, place }] : [],
  );
}

const yesNo = (value: boolean | undefined) => (value === undefined ? null : value ? 'yes' : 'no');

function humanOf(record: JudgedRecord, index: number, field: Field): string | null {
  switch (record.task) {
    case 'answers': {
      const { human } = record.questions[index];
      return yesNo(field === 'answerable' ? human?.answerable : human?.correct);
    }
    case 'entailment':
      return yesNo(record.claims[index].human);
    case 'nuggets':
      return yesNo(record.nuggets[index].human);
    case 'argue': {
      const { human } = record.sentences[index];
      return human === undefined ? null : SCALES.outcome[human - 1];
    }
  }
}

/** The items that annotators are shown for a record: what is judged beside the text that it is judged by. */
export function annotationItems(record: JudgedRecord): AnnotationItem[] {
  return placedItems(record).map(({ item }) => item);
}

function everyItem(record: JudgedRecord): AnnotationItem[] {
  // Tells the same statements apart; a place would move where more of the same text is drawn.
  const seen = new Map<string, number>();
  const itemOf = (
    item: Pick<AnnotationItem, 'kind' | 'statement' | 'fields'> & { readonly query?: string | null },
    document: { readonly title: string; readonly text: string },
  ): AnnotationItem => {
    const before = seen.get(item.statement) ?? 0;
    seen.set(item.statement, before + 1);
    return {
      id: contentHash(
        JSON.stringify([record.task, record.id, record.system ?? null, before, item.statement, document.text]),
      ),
      case: record.id,
      query: null,
      document: { id: record.id, ...document },
      spans: [],
      score: null,
      ...item,
    };
  };
  switch (record.task) {
    case 'answers': {
      const summary = { title: 'Summary', text: record.summary };
      return record.questions.map(({ question, answer }) =>
        itemOf({ kind: 'question', statement: `${question} – ${answer}`, fields: ['answerable', 'correct'] }, summary),
      );
    }
    case 'entailment': {
      const shown = { title: 'Text', text: record.text };
      return record.claims.map(({ claim }) => itemOf({ kind: 'claim', statement: claim, fields: ['entailed'] }, shown));
    }
    case 'nuggets': {
      const shown = { title: 'Sentence', text: record.sentence };
      return record.nuggets.map(({ question, answers }) => {
        const answer = answers.length === 0 ? 'that nothing is known' : answers.join(' / ');
        return itemOf({ kind: 'nugget', statement: `${question} – ${answer}`, fields: ['reported'] }, shown);
      });
    }
    case 'argue': {
      const shown = { title: 'Request, nuggets and documents', text: materialOf(record) };
      return record.sentences.map(({ text: said, citations }) => {
        const cited = citations.length === 0 ? ' (cites nothing)' : ` [${citations.join(', ')}]`;
        return itemOf({ kind: 'sentence', statement: said + cited, fields: ['outcome'] }, shown);
      });
    }
  }
}

/** What the outcome of a sentence is decided by, as one text. */
function materialOf({ request, nuggets, documents, sentences }: JudgedRecord & { readonly task: 'argue' }): string {
  const answersIn = ({ answers = [] }: (typeof nuggets)[number]) =>
    answers.length === 0
      ? 'that nothing is known'
      : answers.map(({ text: told, documents: ids = [] }) => `${told} [${ids.join(', ')}]`).join(' / ');
  return [
    ...(request?.problem === undefined ? [] : [`Request: ${request.problem}`]),
    ['Report:', ...sentences.map(({ text: said, citations }) => `- ${said} [${citations.join(', ')}]`)].join('\n'),
    ['Nuggets:', ...nuggets.map((each) => `- ${each.question} ${answersIn(each)}`)].join('\n'),
    ...documents.map(({ id, text: told }) => `Document ${id}:\n${told}`),
  ].join('\n\n');
}
