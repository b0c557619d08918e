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
import { problem, respond } from '../problem.ts';
import type { ServiceEnv } from '../service-deps.ts';
import { STREAM, wantsStream } from './http-fields.ts';

/** Visible ASCII, bare or as a quoted string (draft-ietf-httpapi-idempotency-key-header-07). */
const KEY = /^(?:"([\x20\x21\x23-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/;
const LOCK = 15_000;
const OTHER_FORMAT =
  'The answer to this Idempotency-Key is kept in another format: send the first Accept, or a new key.';
const KEPT_HEADERS = ['content-type', 'location', 'preference-applied'];

/**
 * Processes a POST with an `Idempotency-Key` once: for 24 hours, the same request and key get the same answer, even after a restart.
 * Failures are not stored, to allow a retry.
 */
export function idempotency({ database }: { readonly database: Database }): MiddlewareHandler<ServiceEnv> {
  const owner = `call_${crypto.randomUUID()}`;
  let calls = 0;
  return async (context, next) => {
    const header = context.req.header('idempotency-key');
    if (context.req.method !== 'POST' || header === undefined) return next();
    const [, quoted, bare] = KEY.exec(header.trim()) ?? [];
    const key = quoted ?? bare;
    if (key === undefined) return respond('malformed-idempotency-key');
    const own = forTenant(database, context.var.caller.tenant);
    const { pathname, search } = new URL(context.req.url);
    const fingerprint = await fingerprintOf(`POST ${pathname}${search}\n${await context.req.text()}`);
    const me = `${owner}_${++calls}`;
    const known = await takeKey(own, key, fingerprint, me, LOCK);
    if (known !== null) {
      if (known.fingerprint !== fingerprint) return respond('idempotency-key-reused');
      if (known.answer !== null && known.answer.body !== null) {
        const isStream = known.answer.headers['content-type'] === STREAM;
        // Only a digest can be told in another format later.
        if (known.digestId === null && isStream !== wantsStream(context))
          return respond(problem('idempotency-key-reused', OTHER_FORMAT));
        return replay(known.answer, known.answer.body);
      }
      if (known.answer === null && known.isInFlight)
        return respond('idempotency-key-in-flight', { 'retry-after': '1' });
    }
    // This call now holds the key, or the route reads the stored digest again.
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
    // A failed renewal is retried before the lock ends.
    const renewal = setInterval(() => void renewKey(own, key, me, LOCK).catch(() => undefined), LOCK / 3);
    try {
      await next();
    } finally {
      clearInterval(renewal);
      const { res } = context;
      if (!isReplay && res.ok) await keepAnswer(own, key, me, await answerOf(res, answered));
      else if (!isReplay) await giveKeyBack(own, key, me);
    }
    if (known !== null) context.header('Idempotent-Replayed', 'true');
  };
}

/** SHA-256, off the event loop since a body may have many megabytes. */
async function fingerprintOf(text: string): Promise<string> {
  return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
}

async function answerOf(response: Response, digest: string | null): Promise<KeptAnswer> {
  const headers = Object.fromEntries([...response.headers].filter(([name]) => KEPT_HEADERS.includes(name)));
  return { status: response.status, headers, body: digest === null ? await response.clone().text() : null };
}

function replay({ status, headers }: KeptAnswer, body: string): Response {
  return new Response(body, { status, headers: { ...headers, 'idempotent-replayed': 'true' } });
}
