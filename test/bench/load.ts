/**
 * What the service bears: throughput, latencies and errors of warm digests and of reading them at 1, 16 and 64 callers at
 * once; its memory over 10,000 requests; what it sheds of 512 callers; and how much faster two and four workers on one
 * database file are than one, where digests wait for a language model and where they compute. The service is the real one, in a
 * process of its own, over a database file; the callers share this machine with it.
 *
 * All of it, or the parts that are named: `npx tsx test/bench/load.ts limits memory overload workers`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { good } from '../support/good-model.ts';
import { ScriptedModelServer } from '../support/scripted-model-server.ts';
import { type ChildService, startChild } from './child-service.ts';
import { benchInput } from './haystack.ts';

const DOCUMENTS = 10;
const CALLERS = [1, 16, 64];
/** Digests made by so many callers: of each caller at least one that waited behind all others. */
const digestsOf = (callers: number) => 16 + 2 * callers;
const OVERLOAD = 512;
/** Patience below the limits: longer than the last of 64 callers waits. */
const PATIENT = '60';
const IMPATIENT = '2';
const HEAP_MEGABYTES = 160;
const MEMORY_REQUESTS = 10_000;
/** Of which this many are read for each that is made. */
const READS_A_DIGEST = 49;
const WORKERS = [1, 2, 4];
const QUEUED_DIGESTS = 40;
/** Of documents that no other digest has, so that all are encoded. */
const COMPUTED_DIGESTS = 32;
const DOCUMENTS_A_JOB = 3;
const CALL_MILLISECONDS = 300;

/** A request by its path. */
interface Request {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const folder = mkdtempSync(join(tmpdir(), 'tessera-load-'));
const children: ChildService[] = [];
const { name, documents, intents } = benchInput();
const some = documents.slice(0, DOCUMENTS);
const headers = { 'content-type': 'application/json' };
const limits = { TESSERA_RATE: 'off', TESSERA_MAX_TENANT_DIGESTS: '100000', TESSERA_MAX_QUEUE: '100000' };

const creations: Request[] = intents.map((intent) => ({
  method: 'POST',
  path: '/v1/digests',
  headers,
  body: JSON.stringify({ documents: some, intent }),
}));

const print = (line = ''): void => {
  process.stdout.write(`${line}\n`);
};
const columns = (...cells: readonly (string | number)[]) =>
  print(cells.map((cell, i) => (i === 0 ? String(cell).padEnd(26) : String(cell).padStart(11))).join(''));

async function start(command: 'serve' | 'work', settings: Readonly<Record<string, string>>): Promise<ChildService> {
  const child = await startChild(command, folder, { ...limits, ...settings });
  children.push(child);
  return child;
}

async function stopAll(): Promise<void> {
  // Servers last: workers hand back to the database that both have open.
  for (const child of children.splice(0).reverse()) await child.stop();
}

async function send(url: string, { path, ...request }: Request): Promise<Response> {
  const response = await fetch(url + path, request);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response;
}

interface LoadResult {
  readonly seconds: number;
  readonly answered: number;
  /** Answers of 503. */
  readonly shed: number;
  /** Answers of another status, and calls without an answer. */
  readonly failed: number;
  /** Milliseconds of the answered calls, ascending. */
  readonly latencies: readonly number[];
}

/** Sends the requests in turn from so many callers at once, each with one call under way: `amount` in all, or for `seconds`. */
async function load(
  url: string,
  requests: readonly Request[],
  callers: number,
  { amount = Number.POSITIVE_INFINITY, seconds = Number.POSITIVE_INFINITY },
): Promise<LoadResult> {
  const latencies: number[] = [];
  const began = performance.now();
  let [sent, shed, failed] = [0, 0, 0];
  const caller = async (): Promise<void> => {
    while (sent < amount && performance.now() - began < 1000 * seconds) {
      const { path, ...request } = requests[sent++ % requests.length];
      const from = performance.now();
      try {
        const response = await fetch(url + path, { ...request, signal: AbortSignal.timeout(120_000) });
        await response.arrayBuffer();
        if (response.ok) latencies.push(performance.now() - from);
        else if (response.status === 503) shed++;
        else failed++;
      } catch {
        failed++;
      }
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  latencies.sort((a, b) => a - b);
  return { seconds: (performance.now() - began) / 1000, answered: latencies.length, shed, failed, latencies };
}

/** The latency that this share of the answers stays within, in milliseconds. */
const quantile = ({ latencies }: LoadResult, share: number): string =>
  (latencies[Math.min(latencies.length - 1, Math.floor(share * latencies.length))] ?? Number.NaN).toFixed(0);

function row(what: string, callers: number, result: LoadResult): void {
  const { answered, seconds } = result;
  const errors = result.failed + result.shed;
  const rate = (answered / seconds).toFixed(1);
  columns(what, callers, answered, rate, quantile(result, 0.5), quantile(result, 0.99), errors);
  if (errors > 0) process.exitCode = 1;
}

/** Has every digest made once, one after the other; answers where they are. */
async function warm(url: string): Promise<string[]> {
  const made = [];
  for (const request of creations) made.push((await send(url, request)).headers.get('location') ?? '');
  return made;
}

async function patient(settings: Readonly<Record<string, string>> = {}): Promise<ChildService> {
  const database = join(folder, `${crypto.randomUUID()}.sqlite`);
  return start('serve', { TESSERA_DB: database, TESSERA_MAX_WAIT_SECONDS: PATIENT, ...settings });
}

async function belowTheLimits(): Promise<void> {
  const { url } = await patient();
  print(`\nTESSERA_RATE=off, TESSERA_MAX_WAIT_SECONDS=${PATIENT}`);
  const reads = (await warm(url)).map((path) => ({ method: 'GET', path }));
  columns('', 'callers', 'answers', 'a second', 'p50 ms', 'p99 ms', 'errors');
  for (const connections of CALLERS) {
    const amount = digestsOf(connections);
    row('POST /v1/digests', connections, await load(url, creations, connections, { amount }));
  }
  for (const connections of CALLERS) {
    row('GET /v1/digests/{id}', connections, await load(url, reads, connections, { seconds: 4 }));
  }
}

async function memory(): Promise<void> {
  // With room to spare, memory is not collected for minutes, and looks as if it grew.
  const service = await patient({ NODE_OPTIONS: `--max-old-space-size=${HEAP_MEGABYTES}` });
  const { url } = service;
  const [made] = await warm(url);
  const reads = Array.from({ length: READS_A_DIGEST }, () => ({ method: 'GET', path: made }));
  const requests = creations.flatMap((creation) => [creation, ...reads]);
  const before = await service.residentMegabytes();
  print(`\na heap of ${HEAP_MEGABYTES} MB; resident memory, 1 digest made for ${READS_A_DIGEST} read, 16 callers`);
  columns('', 'requests', 'MB', 'errors');
  columns('', 0, before.toFixed(0), 0);
  const seen = [];
  for (let sent = 1000; sent <= MEMORY_REQUESTS; sent += 1000) {
    const result = await load(url, requests, 16, { amount: 1000 });
    const megabytes = await service.residentMegabytes();
    seen.push(megabytes);
    columns('', sent, megabytes.toFixed(0), result.failed + result.shed);
    if (result.failed + result.shed > 0) process.exitCode = 1;
  }
  const [early, late] = [mean(seen.slice(2, 6)), mean(seen.slice(6))];
  print(`the last 4,000 hold ${(late - early).toFixed(0)} MB more than the 4,000 before`);
}

async function overload(): Promise<void> {
  const { url } = await start('serve', {
    TESSERA_DB: join(folder, 'overload.sqlite'),
    TESSERA_MAX_WAIT_SECONDS: IMPATIENT,
  });
  await warm(url);
  const result = await load(url, creations, OVERLOAD, { seconds: 15 });
  const { answered, shed, failed } = result;
  const all = answered + shed + failed;
  print(
    `\n${OVERLOAD} callers, patience ${IMPATIENT} s: ${all} answers, ${shed} of them 503 (${((100 * shed) / all).toFixed(1)} %)`,
  );
  columns('', 'served', 'a second', 'p50 ms', 'p99 ms', 'max ms', 'other');
  const rate = (answered / result.seconds).toFixed(1);
  columns(
    'the served ones',
    answered,
    rate,
    quantile(result, 0.5),
    quantile(result, 0.99),
    quantile(result, 1),
    failed,
  );
  const alive = await fetch(`${url}/healthz`);
  print(`afterwards /healthz answers ${alive.status}`);
}

type Timings = Readonly<Record<string, number>>;

const mean = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0) / all.length;
const restOf = ({ write, ...rest }: Timings) => Object.values(rest).reduce((sum, each) => sum + each, 0);

/** A digest of documents from this one on. */
const bodyOf = (from: number, i: number): string =>
  JSON.stringify({
    documents: Array.from({ length: DOCUMENTS_A_JOB }, (_, d) => documents[(from + d) % documents.length]),
    intent: intents[i % intents.length],
  });

/** How long this many workers take for all digests, and for one: milliseconds for its writing, and for all else. */
async function work(workers: number, bodies: readonly string[], settings: Readonly<Record<string, string>>) {
  const own = { TESSERA_DB: join(folder, `${crypto.randomUUID()}.sqlite`), ...settings };
  const { url } = await start('serve', { ...own, TESSERA_JOBS: '0' });
  await Promise.all(Array.from({ length: workers }, () => start('work', { ...own, TESSERA_JOBS: '1' })));
  const asynchronous = { ...headers, prefer: 'respond-async' };
  const from = performance.now();
  const orders = bodies.map((body) => send(url, { method: 'POST', path: '/v1/digests', headers: asynchronous, body }));
  const ids = await Promise.all(orders.map(async (order) => String(Object(await (await order).json()).id)));
  const made: Timings[] = [];
  for (const id of ids) made.push(await finished(url, id));
  const seconds = (performance.now() - from) / 1000;
  await stopAll();
  return { seconds, writing: mean(made.map(({ write }) => write)), rest: mean(made.map(restOf)) };
}

/** One row for each number of workers. */
async function scaleOut(
  bodies: readonly string[],
  settings: Readonly<Record<string, string>>,
  calls: () => number,
): Promise<void> {
  columns('workers', 'seconds', 'a minute', 'speed-up', 'calls', 'write ms', 'rest ms', 'load');
  let alone = Number.NaN;
  for (const workers of WORKERS) {
    const before = calls();
    const { seconds, writing, rest } = await work(workers, bodies, settings);
    if (workers === 1) alone = seconds;
    const [minute, speedUp] = [((60 * bodies.length) / seconds).toFixed(0), (alone / seconds).toFixed(2)];
    const load = loadavg()[0].toFixed(1);
    columns(workers, seconds.toFixed(1), minute, speedUp, calls() - before, writing.toFixed(0), rest.toFixed(0), load);
  }
}

async function finished(url: string, id: string): Promise<Timings> {
  for (;;) {
    const { status, timings } = Object(await (await fetch(`${url}/v1/digests/${id}`)).json());
    if (timings !== undefined && status === 'completed') return timings;
    if (timings !== undefined || !['queued', 'running'].includes(status)) throw new Error(`${id} is ${status}`);
    await pause(50);
  }
}

async function moreWorkers(): Promise<void> {
  const model = await ScriptedModelServer.start((request) => ({ ...good(request), delay: CALL_MILLISECONDS }));
  try {
    print(
      `\n${QUEUED_DIGESTS} async digests, a language model that takes ${CALL_MILLISECONDS} ms a call, TESSERA_JOBS=1`,
    );
    const bodies = Array.from({ length: QUEUED_DIGESTS }, (_, i) => bodyOf(0, i));
    const asking = { OPENAI_BASE_URL: model.url, TESSERA_MODEL: 'scripted', TESSERA_WRITER: 'llm' };
    await scaleOut(bodies, asking, () => model.requests.length);
  } finally {
    await model.close();
  }
  print(`\n${COMPUTED_DIGESTS} async digests of documents never seen, nothing but the embedded engine, TESSERA_JOBS=1`);
  const bodies = Array.from({ length: COMPUTED_DIGESTS }, (_, i) => bodyOf(DOCUMENTS_A_JOB * i, i));
  await scaleOut(bodies, {}, () => 0);
}

const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  limits: belowTheLimits,
  memory,
  overload,
  workers: moreWorkers,
};

const began = performance.now();
const asked = process.argv.slice(2);
try {
  print(`${name}, the first ${DOCUMENTS} documents; a database file`);
  print(`${cpus().length} processors, shared with the callers; load before: ${loadavg()[0].toFixed(1)}`);
  for (const [part, run] of Object.entries(PARTS)) {
    if (asked.length > 0 && !asked.includes(part)) continue;
    await run();
    await stopAll();
  }
  print(`\n${((performance.now() - began) / 1000).toFixed(0)} s in all`);
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}
