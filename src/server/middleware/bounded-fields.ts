import type { MiddlewareHandler } from 'hono';
import { nextTurn } from '../../text/index.ts';
import { problem } from '../problem.ts';
import { respond } from '../respond.ts';

/** Fields of one body: ten thousand documents have fewer. Parsing so many takes some 60 ms. */
export const MAX_FIELDS = 100_000;
/** Characters that are looked through in one turn of the event loop; a body of fewer cannot hold too many fields. */
const STEP = 400_000;

const TOO_MANY = problem(
  422,
  'too-many-fields',
  'The request has too many fields',
  `A request holds at most ${MAX_FIELDS} fields, in all of its objects.`,
);

/** Refuses a body of so many fields that parsing it would hold the event loop, by counting them first. */
export const boundedFields: MiddlewareHandler = async (context, next) => {
  if (!['POST', 'PUT', 'PATCH'].includes(context.req.method)) return next();
  const body = await context.req.text();
  return body.length > STEP && (await countFields(body, MAX_FIELDS)) > MAX_FIELDS ? respond(TOO_MANY) : next();
};

/**
 * Strings that a colon follows, in a text that should be JSON.
 *
 * @returns the count, or any larger number than `most` where there are more
 */
export async function countFields(json: string, most: number): Promise<number> {
  let fields = 0;
  let turn = STEP;
  for (let open = json.indexOf('"'); open >= 0; ) {
    let close = open;
    do close = json.indexOf('"', close + 1);
    while (close >= 0 && isEscaped(json, close));
    if (close < 0) break;
    let after = close + 1;
    while (' \n\r\t'.includes(json[after] ?? 'x')) after++;
    if (json[after] === ':' && ++fields > most) break;
    if (after > turn) {
      turn = after + STEP;
      await nextTurn();
    }
    open = json.indexOf('"', after);
  }
  return fields;
}

/** Whether an odd number of backslashes stands before the place. */
function isEscaped(json: string, place: number): boolean {
  let slashes = 0;
  while (json[place - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}
