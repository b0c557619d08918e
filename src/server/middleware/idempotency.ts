import { bytesToHex } from '@noble/hashes/utils.js';
import type { MiddlewareHandler } from 'hono';
import {
  bindKey,
  type Database,
  forTenant,
  giveKeyBack,
  type KeptAnswer,
  keepAnswer,
  renewKey,
  takeKey,
} from '../../store/index.ts';
import { problem } from '../problem.ts';
import { respond } from '../respond.ts';
import type { ServiceEnv } from '../service-env.ts';

/** Visible ASCII, as it stands or as a quoted string (draft-ietf-httpapi-idempotency-key-header-07). */
const KEY = /^(?:"([\x20\x21\x23-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/;
/** Milliseconds for which a key is held without a sign of life. */
const LOCK = 15_000;
/** Headers that an answer is not the same without. */
const KEPT_HEADERS = ['content-type', 'location', 'preference-applied'];

const BAD_KEY = problem(
  400,
  'malformed-idempotency-key',
  'Malformed Idempotency-Key',
  'Idempotency-Key must be 1 to 255 visible ASCII characters.',
);
const REUSED = problem(
  422,
  'idempotency-key-reused',
  'Idempotency-Key reused',
  'This Idempotency-Key was used for a different request; use a new key.',
);
const IN_FLIGHT = problem(
  409,
  'idempotency-key-in-flight',
  'Request in progress',
  'The first request with this Idempotency-Key is still in progress; retry later.',
);

/**
 * Serves a POST with an `Idempotency-Key` once: the same request with the same key gets the same answer for 24 hours, also
 * after a restart. What failed is not kept, so that it can be sent again.
 */
export function idempotency({ database }: { readonly database: Database }): MiddlewareHandler<ServiceEnv> {
  const owner = `call_${crypto.randomUUID()}`;
  let calls = 0;
  return async (context, next) => {
    const header = context.req.header('idempotency-key');
    if (context.req.method !== 'POST' || header === undefined) return next();
    const [, quoted, bare] = KEY.exec(header.trim()) ?? [];
    const key = quoted ?? bare;
    if (key === undefined) return respond(BAD_KEY);
    const own = forTenant(database, context.var.caller.tenant);
    const { pathname, search } = new URL(context.req.url);
    const fingerprint = await fingerprintOf(`POST ${pathname}${search}\n${await context.req.text()}`);
    const me = `${owner}_${++calls}`;
    const known = await takeKey(own, key, fingerprint, me, LOCK);
    if (known !== null) {
      if (known.fingerprint !== fingerprint) return respond(REUSED);
      if (known.answer !== null && known.answer.body !== null) return replay(known.answer, known.answer.body);
      if (known.answer === null && known.isInFlight) return respond(IN_FLIGHT, { 'retry-after': '1' });
    }
    // From here on the key is held, or its answer is a digest that the route answers again.
    const isReplay = known?.answer != null;
    let answered: string | null = null;
    context.set('keyed', {
      digest: known?.digestId ?? null,
      replays: known?.answer?.status ?? null,
      bind: (id) => [bindKey(own, key, me, id)],
      answers: (id) => {
        answered = id;
      },
    });
    // One that fails is made good by the next, before the lock ends.
    const renewal = setInterval(() => void renewKey(own, key, me, LOCK).catch(() => undefined), LOCK / 3);
    try {
      await next();
    } finally {
      clearInterval(renewal);
      const { res } = context;
      if (!isReplay) {
        if (isToBeKept(res.status)) await keepAnswer(own, key, me, await answerOf(res, answered));
        else await giveKeyBack(own, key, me);
      }
    }
    if (known !== null) context.header('Idempotent-Replayed', 'true');
  };
}

/** SHA-256, off the event loop: a body may have many megabytes. */
async function fingerprintOf(text: string): Promise<string> {
  return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
}

/** Successes: what failed may be sent again. */
function isToBeKept(status: number): boolean {
  return status >= 200 && status < 300;
}

async function answerOf(response: Response, digest: string | null): Promise<KeptAnswer> {
  const headers = Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  return { status: response.status, headers, body: digest === null ? await response.clone().text() : null };
}

function replay({ status, headers }: KeptAnswer, body: string): Response {
  return new Response(body, { status, headers: { ...headers, 'idempotent-replayed': 'true' } });
}
