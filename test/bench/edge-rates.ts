/**
 * What it costs a Worker to count requests by tenant for all isolates: nothing, in the isolate, in a Durable Object, by one
 * statement of D1, and by Cloudflare's rate limiting binding. Each is a Worker of its own in workerd that does only this.
 *
 * `npx tsx test/bench/edge-rates.ts`
 */
import { Miniflare } from 'miniflare';

/** Of each kind in a round; kinds take turns, so that whatever else the machine does falls on all of them. */
const REQUESTS = 200;
const ROUNDS = 12;
const CALLERS = [1, 16];
const KINDS = ['nothing', 'isolate', 'object', 'd1', 'binding'] as const;
/** So many that none is refused. */
const CAPACITY = 1_000_000;
const WINDOW = 60_000;

/** A bucket of `CAPACITY` tokens as one statement, which answers no row where it is empty. */
const STATEMENT = `insert into rates (tenant, level, at) values (?1, ${CAPACITY - 1}, ?2)
  on conflict (tenant) do update set level = min(${CAPACITY}, level + (?2 - at) * ${CAPACITY} / ${WINDOW}) - 1, at = ?2
  where min(${CAPACITY}, level + (?2 - at) * ${CAPACITY} / ${WINDOW}) >= 1 returning level`;

const WORKER = `
import { DurableObject } from 'cloudflare:workers';
class Bucket {
  level = ${CAPACITY};
  at = Date.now();
  take() {
    const now = Date.now();
    this.level = Math.min(${CAPACITY}, this.level + (now - this.at) * ${CAPACITY / WINDOW});
    this.at = now;
    if (this.level < 1) return null;
    return --this.level;
  }
}
export class Rates extends DurableObject {
  #bucket = new Bucket();
  take() { return this.#bucket.take(); }
}
const buckets = new Map();
const takes = {
  nothing: async () => 1,
  isolate: async (env, tenant) => {
    if (!buckets.has(tenant)) buckets.set(tenant, new Bucket());
    return buckets.get(tenant).take();
  },
  object: async (env, tenant) => env.RATES.get(env.RATES.idFromName(tenant)).take(),
  d1: async (env, tenant) => (await env.DB.prepare(${JSON.stringify(STATEMENT)}).bind(tenant, Date.now()).all()).results[0]?.level ?? null,
  binding: async (env, tenant) => (await env.LIMIT.limit({ key: tenant })).success ? 1 : null,
};
export default {
  async fetch(request, env) {
    const [, kind, tenant] = new URL(request.url).pathname.split('/');
    if (kind === 'migrate') {
      await env.DB.exec('create table if not exists rates (tenant text primary key, level real not null, at integer not null)');
      return new Response();
    }
    const left = await takes[kind](env, tenant);
    return new Response(String(left), { status: left === null ? 429 : 200 });
  },
};`;

function at(values: readonly number[], share: number): number {
  return values[Math.min(values.length - 1, Math.floor(share * values.length))];
}

const miniflare = new Miniflare({
  modulesRoot: '/',
  modules: [{ type: 'ESModule', path: '/index.mjs', contents: WORKER }],
  compatibilityDate: '2026-04-20',
  durableObjects: { RATES: 'Rates' },
  d1Databases: { DB: 'rates' },
  ratelimits: { LIMIT: { simple: { limit: CAPACITY, period: 60 } } },
});
const url = await miniflare.ready;
await fetch(new URL('/migrate', url));

/** Milliseconds of each request, and of all. */
async function measure(kind: string, callers: number) {
  const each: number[] = [];
  let left = REQUESTS;
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      while (left-- > 0) {
        const start = performance.now();
        const response = await fetch(new URL(`/${kind}/tenant-${caller % 4}`, url));
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`${kind} answered ${response.status}`);
        each.push(performance.now() - start);
      }
    }),
  );
  return { each, total: performance.now() - begin };
}

process.stdout.write('| where | callers | p50 ms | p95 ms | requests a second |\n| --- | --- | --- | --- | --- |\n');
for (const callers of CALLERS) {
  const rounds = new Map(KINDS.map((kind) => [kind, { each: [] as number[], total: 0 }]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [kind, sums] of rounds) {
      const { each, total } = await measure(kind, callers);
      if (round === 0) continue; // warm
      sums.each.push(...each);
      sums.total += total;
    }
  }
  for (const [kind, { each, total }] of rounds) {
    each.sort((a, b) => a - b);
    const perSecond = Math.round((each.length * 1000) / total);
    const cells = [kind, callers, at(each, 0.5).toFixed(2), at(each, 0.95).toFixed(2), perSecond];
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
  }
}
await miniflare.dispose();
