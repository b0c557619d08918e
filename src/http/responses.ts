import type { ZodType } from 'zod';
import { problemSchema } from './answer-schemas.ts';

/** A JSON answer for an OpenAPI route. */
export function json<Schema extends ZodType>(schema: Schema, description: string) {
  return { description, content: { 'application/json': { schema } } };
}

/** A problem for an OpenAPI route. */
export function problemAnswer(description: string) {
  return { description, content: { 'application/problem+json': { schema: problemSchema } } };
}

/** What every route with a JSON body may answer besides success. */
export const bodyProblems = {
  400: problemAnswer('The body is not JSON.'),
  413: problemAnswer('The body is too large.'),
  415: problemAnswer('The body does not say that it is JSON.'),
  422: problemAnswer('The request is not valid; `errors` points at what is wrong.'),
  500: problemAnswer('Something went wrong here.'),
  502: problemAnswer('A model that an option asks for could not be asked.'),
};
