import type { Context, MiddlewareHandler } from 'hono';
import type { Problem } from '../../contract/index.ts';
import { nextTurn } from '../../text/index.ts';
import { OverloadedError } from '../errors.ts';
import { tenantTally } from '../limits.ts';
import { problem, respond } from '../problem.ts';
import type { ServiceEnv } from '../service-deps.ts';

/** Smaller bodies are not counted: those of all concurrent callers fit in memory. */
const SMALL_BYTES = 256 * 1024;
const BODIES = 3;

export function bodyTooLarge(maxBytes: number): Problem {
  return problem('body-too-large', `The request body may have at most ${maxBytes} bytes.`);
}

function hasBody({ req }: Context): boolean {
  return ['POST', 'PUT', 'PATCH'].includes(req.method);
}

/**
 * Limits the total size of concurrent bodies, which take many times as much memory when parsed: three of the largest, and half of that per
 * tenant. Refuses further requests before reading their body. A single body always fits. `maxBytes` is assumed for bodies without a length.
 */
export function bodyBudget(maxBytes: number): MiddlewareHandler<ServiceEnv> {
  const most = BODIES * maxBytes;
  const held = tenantTally();
  return async (context, next) => {
    if (!hasBody(context)) return next();
    const isChunked = context.req.header('transfer-encoding') !== undefined;
    const bytes = Math.min(maxBytes, isChunked ? maxBytes : Number(context.req.header('content-length') ?? 0));
    if (!(bytes > SMALL_BYTES)) return next();
    const { tenant } = context.var.caller;
    const own = held.of(tenant);
    if ((own > 0 && own + bytes > most / 2) || (held.all > 0 && held.all + bytes > most)) {
      throw new OverloadedError('bodies');
    }
    const release = held.take(tenant, bytes);
    try {
      return await next();
    } finally {
      release();
    }
  };
}

/** Starts one request with a body per turn of the event loop, since each takes milliseconds. Tenants take turns; each in order. */
export function oneATurn(): MiddlewareHandler<ServiceEnv> {
  const waiting = new Map<string, (() => void)[]>();
  let isTaken = false;
  const letIn = async (): Promise<void> => {
    isTaken = true;
    for (;;) {
      await nextTurn();
      const [first] = waiting;
      if (first === undefined) break;
      const [tenant, line] = first;
      const begin = line.shift();
      waiting.delete(tenant);
      if (line.length > 0) waiting.set(tenant, line); // behind all other tenants
      begin?.();
    }
    isTaken = false;
  };
  return async (context, next) => {
    if (!hasBody(context)) return next();
    if (isTaken) {
      const { tenant } = context.var.caller;
      const line = waiting.get(tenant) ?? [];
      waiting.set(tenant, line);
      await new Promise<void>((begin) => line.push(begin)); // not a copy: the line may be long
    } else void letIn();
    return next();
  };
}

const BODYLESS = /^\/v1\/(?:experiments\/[^/]+\/(?:start|stop)|(?:digests|webhooks)\/[^/]+\/retry)$/;

/** Whether a POST needs no content type. Cross-origin requests always need one, against CSRF. */
export function isBodyless({ req }: Context): boolean {
  return req.method === 'POST' && BODYLESS.test(req.path) && req.header('origin') === undefined;
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

export const jsonOnly: MiddlewareHandler = async (context, next) => {
  const isJson = JSON_TYPE.test(context.req.header('content-type') ?? '');
  return hasBody(context) && !isJson ? respond('unsupported-media-type') : next();
};

/** Ten thousand documents have fewer fields. Parsing this number takes about 60 ms. */
export const MAX_FIELDS = 100_000;
/** Characters scanned per turn of the event loop; a shorter body cannot have too many fields. */
const STEP = 400_000;

const TOO_MANY = problem('too-many-fields', `A request holds at most ${MAX_FIELDS} fields, in all of its objects.`);

/** Refuses bodies with too many fields to parse without blocking the event loop. */
export const boundedFields: MiddlewareHandler = async (context, next) => {
  if (!hasBody(context)) return next();
  const body = await context.req.text();
  return body.length > STEP && (await countFields(body, MAX_FIELDS)) > MAX_FIELDS ? respond(TOO_MANY) : next();
};

/** Counts the strings before a colon in supposed JSON; returns a number over `most` if there are more. */
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

function isEscaped(json: string, place: number): boolean {
  let slashes = 0;
  while (json[place - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}
