import type { Context, MiddlewareHandler } from 'hono';
import type { Problem } from '../../contract/index.ts';
import { nextTurn } from '../../text/index.ts';
import { CallerGoneError, OverloadedError, ServiceError } from '../errors.ts';
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

export const LINES = 'application/x-ndjson';
const LINES_TYPE = /^application\/x-ndjson\s*(?:;|$)/i;
const LINES_PATH = /^\/v1\/collections\/[^/]+\/documents$/;

/** Whether a body is JSON values, one a line, of the route that takes them. */
export function isLines({ req }: Context): boolean {
  return req.method === 'POST' && LINES_PATH.test(req.path) && LINES_TYPE.test(req.header('content-type') ?? '');
}

export const jsonOnly: MiddlewareHandler = async (context, next) => {
  const isJson = JSON_TYPE.test(context.req.header('content-type') ?? '');
  if (!hasBody(context) || isJson) return next();
  const { method, path } = context.req;
  return respond(
    method === 'POST' && LINES_PATH.test(path)
      ? problem('unsupported-media-type', `Send a list as application/json, or one document a line as ${LINES}.`)
      : 'unsupported-media-type',
  );
};

/**
 * Bounds of what a body makes when it is parsed. Ten thousand documents have fewer values; of the numbers in rows of numbers, which are
 * cheaper, 3,000 embeddings of 384 have 1.2 million, and 32 MB hold no more than 2 million that are written in full.
 */
export const BODY_BOUNDS = { values: 100_000, numbers: 2_000_000, depth: 50 };

const WHAT = { values: 'fields and entries', numbers: 'numbers in arrays of arrays', depth: 'levels of nesting' };
const NOT_UTF_8 = problem('malformed-json', 'The request body is not valid UTF-8.');

const BLOCK = 65_536;
/** Each takes some microseconds, however short it is; 32 MB come in some thousands. */
const MAX_PIECES = 100_000;
const IN_PIECES = new ServiceError('body-too-large', `The request body comes in more than ${MAX_PIECES} pieces.`);

/** Reads a body as text, or refuses one that is too large or would take too much to parse while it arrives. */
export function boundedBody(maxBytes: number): MiddlewareHandler {
  return async (context, next) => {
    if (!hasBody(context)) return next();
    const tooLarge = () => respond(bodyTooLarge(maxBytes));
    if (Number(context.req.header('content-length') ?? 0) > maxBytes) return tooLarge();
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const measure = bodyMeter();
    let refused: Problem | null = null;
    let text = '';
    let bytes = 0;
    for await (const block of inBlocks(context.req.raw.body)) {
      bytes += block.length;
      if (bytes > maxBytes) return tooLarge();
      if (refused) continue; // the rest is read, so that the caller gets the answer
      const excess = measure(block);
      try {
        text += decoder.decode(block, { stream: block.length === BLOCK });
        if (excess)
          refused = problem('too-many-fields', `A request holds at most ${BODY_BOUNDS[excess]} ${WHAT[excess]}.`);
      } catch {
        refused = NOT_UTF_8;
      }
      if (refused) text = '';
    }
    if (refused) return respond(refused);
    Object.assign(context.req.bodyCache, { text: Promise.resolve(text) }); // as Hono keeps what it has read
    return next();
  };
}

/** A body in blocks of one length, the last of them shorter: as a text, pieces of a byte would take 32 times their size. */
async function* inBlocks(body: AsyncIterable<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const block = new Uint8Array(BLOCK);
  let held = 0;
  let pieces = 0;
  try {
    for await (const piece of body ?? []) {
      if (++pieces > MAX_PIECES) throw IN_PIECES;
      for (let at = 0; at < piece.length; ) {
        const part = piece.subarray(at, at + BLOCK - held);
        block.set(part, held);
        at += part.length;
        held += part.length;
        if (held < BLOCK) continue;
        yield block;
        held = 0;
      }
    }
  } catch (cause) {
    throw cause === IN_PIECES ? cause : new CallerGoneError('The caller left before the body was read.', { cause });
  }
  yield block.subarray(0, held);
}

const CODE = { space: 32, quote: 34, comma: 44, minus: 45, zero: 48, nine: 57, backslash: 92 };
const OPEN = { array: 91, object: 123 };
const CLOSE = { array: 93, object: 125 };

/**
 * Counts fields, entries and depth of JSON as its bytes arrive, and names the bound that they exceed. This is exact up to the first fault,
 * where parsing ends.
 */
export function bodyMeter(bounds = BODY_BOUNDS): (bytes: Uint8Array) => keyof typeof BODY_BOUNDS | null {
  const open: number[] = [];
  const seen = { values: 0, numbers: 0, isText: false, isEscaped: false, isNext: false };
  return (bytes) => {
    let { values, numbers, isText, isEscaped, isNext } = seen; // a third of the time that fields take
    for (let at = 0; at < bytes.length; ) {
      const byte = bytes[at++];
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === CODE.backslash) isEscaped = true;
        else if (byte === CODE.quote) isText = false;
        continue;
      }
      if (byte <= CODE.space) continue;
      const closes = byte === CLOSE.array || byte === CLOSE.object;
      if (isNext && !closes) {
        const isNumber = byte === CODE.minus || (byte >= CODE.zero && byte <= CODE.nine);
        if (isNumber && open.at(-1) === OPEN.array && open.at(-2) === OPEN.array) numbers++;
        else values++;
        if (values > bounds.values) return 'values';
        if (numbers > bounds.numbers) return 'numbers';
      }
      const opens = byte === OPEN.array || byte === OPEN.object;
      if (opens && open.push(byte) > bounds.depth) return 'depth';
      if (closes) open.pop();
      isNext = opens || byte === CODE.comma;
      isText = byte === CODE.quote;
    }
    Object.assign(seen, { values, numbers, isText, isEscaped, isNext });
    return null;
  };
}
