import { z } from 'zod';
import type { JsonForm } from '../../models/language/stage-model.ts';
import { oneLine } from '../asking/one-line.ts';

/** A question with its answer as a model gave them; `''` for what it left out. */
export interface GivenQuestion {
  readonly question: string;
  readonly answer: string;
}

const given = z.object({ question: z.string(), answer: z.string() });
/** An answer that is a figure comes as a number from some models. */
const nearly = z.object({
  question: z.string().catch(''),
  answer: z.union([z.string(), z.number().transform(String)]).catch(''),
});
const answer = z.union([
  z.object({ questions: z.array(z.unknown()) }).transform(({ questions }) => questions),
  z.array(z.unknown()),
]);

/** Questions as JSON; an item that is none is given as one without anything, and does not cost the others. */
export const QUESTIONS: JsonForm<GivenQuestion[]> = {
  name: 'questions',
  schema: answer.transform((items) => items.map(read)),
  asked: z.object({ questions: z.array(given) }),
  wholeItems: true,
};

function read(item: unknown): GivenQuestion {
  const { question, answer } = nearly.safeParse(item).data ?? { question: '', answer: '' };
  return { question: oneLine(question), answer: oneLine(answer) };
}
