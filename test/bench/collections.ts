/**
 * What an intent costs over a stored collection by its number of key points: seconds, bytes of the answer, memory of the process
 * and bytes on disk; how many key points a second are stored, beside the bare encoder; and 16 callers at once: digests a second,
 * their 95th percentile, and for how long one in a thousand looks whether the service is up waits. Each size has a service of its own.
 *
 *     npm run build && npx tsx test/bench/collections.ts 1000 10000
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '../../src/client/index.ts';
import { startService } from '../../src/server/index.node.ts';
import { readConfiguration } from '../../src/server/index.ts';
import { chunks } from '../../src/text/index.ts';
import { startChild } from './child-service.ts';
import { reports } from './reports.ts';

const QUESTIONS = [
  'What was done about taxes?',
  'Which treaties were signed?',
  'What was said of farmers?',
  'Who voted against the bridge?',
  'Why were school meals delayed?',
  'What did the auditors find?',
  'Which petitions failed?',
  'What concerns night trains?',
  'What was reported on flood walls?',
  'Who asked for an inquiry into the price of milk?',
];
const TOPICS = ['flood walls', 'the price of milk', 'hospital wards and drivers', 'a register of landlords'];
const CALLERS = { atOnce: 16, digests: 64, most: 20_000 };
/** Characters of a document with about twenty sentences. */
const CHARACTERS = 2400;
const POINTS = 20;
/** Documents of a request. */
const TOGETHER = 100;
/** Texts that the bare encoder encodes, in calls as digests make them. */
const ALONE = { texts: 1000, batch: 32 };

interface Row {
  readonly points: number;
  readonly storing: number;
  readonly question: readonly number[];
  readonly topic: readonly number[];
  readonly busy: readonly number[];
  readonly bytes: number;
  readonly resident: number;
  readonly disk: number;
}

async function measure(size: number): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-collections-'));
  const documents = reports(Math.ceil(size / POINTS), CHARACTERS);
  const service = await startChild('serve', folder, {
    TESSERA_DB: join(folder, 'tessera.sqlite'),
    TESSERA_MAX_COLLECTION_DOCUMENTS: String(documents.length),
    ...{
      TESSERA_RATE: 'off',
      TESSERA_MAX_TENANT_DIGESTS: '1000',
      TESSERA_MAX_QUEUE: '1000',
      TESSERA_MAX_WAIT_SECONDS: '60',
    },
  });
  try {
    const client = createClient({ baseUrl: service.url });
    const { id } = await client.collections.create({});
    const began = performance.now();
    let points = 0;
    for (const group of chunks(documents, TOGETHER)) {
      const put = await client.collections.putDocuments(id, group);
      points += put.documents.reduce((sum, { keyPoints }) => sum + keyPoints, 0);
    }
    const storing = (1000 * points) / (performance.now() - began);
    const ask = async (intent: string) => {
      const start = performance.now();
      const response = await fetch(`${service.url}/v1/digests`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ collection: id, intent }),
      });
      const { length: bytes } = new Uint8Array(await response.arrayBuffer());
      if (response.status !== 201) throw new Error(`a digest was answered with ${response.status}`);
      return { milliseconds: performance.now() - start, bytes };
    };
    await ask('What happened?'); // to warm up
    const bytes: number[] = [];
    const timesOf = async (intents: readonly string[]) => {
      const times: number[] = [];
      for (const intent of intents) {
        const asked = await ask(intent);
        times.push(asked.milliseconds);
        bytes.push(asked.bytes);
      }
      return [at(times, 0.5), at(times, 0.95)];
    };
    const question = await timesOf(QUESTIONS);
    const topic = await timesOf([...TOPICS, ...TOPICS]);
    const resident = await service.residentMegabytes();
    const busy = points > CALLERS.most ? [] : await callers(service.url, ask);
    const stored = readdirSync(folder).filter((name) => name.startsWith('tessera.sqlite'));
    return {
      points,
      storing,
      ...{ question, topic, busy, resident },
      bytes: Math.max(...bytes),
      disk: stored.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / points,
    };
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}

function at(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];
}

/** Digests a second of callers at once, their 95th percentile, and the 99.9th of looks whether the service is up meanwhile. */
async function callers(url: string, ask: (intent: string) => Promise<{ milliseconds: number }>): Promise<number[]> {
  const asked = Array.from({ length: CALLERS.digests }, (_, i) => [...QUESTIONS, ...TOPICS][i % 14]);
  const times: number[] = [];
  const looks: number[] = [];
  let isOver = false;
  const look = async () => {
    while (!isOver) {
      const start = performance.now();
      await (await fetch(`${url}/healthz`, { headers: { connection: 'close' } })).arrayBuffer();
      looks.push(performance.now() - start);
      await pause(5);
    }
  };
  const looking = look();
  const began = performance.now();
  const work = async () => {
    for (let intent = asked.pop(); intent !== undefined; intent = asked.pop())
      times.push((await ask(intent)).milliseconds);
  };
  await Promise.all(Array.from({ length: CALLERS.atOnce }, work)).finally(() => {
    isOver = true;
  });
  const seconds = (performance.now() - began) / 1000;
  await looking;
  return [times.length / seconds, at(times, 0.95), at(looks, 0.999)];
}

/** Sentences a second of the encoder alone, on all cores. */
async function bareRate(): Promise<number> {
  const service = await startService({ ...readConfiguration({}), database: ':memory:', logLevel: 'error' });
  const { encoders, defaultEncoder } = service.deps.engine;
  const encoder = encoders.get(defaultEncoder);
  if (encoder === undefined) throw new Error('the default encoder is not there');
  const texts = reports(ALONE.texts / POINTS, CHARACTERS).flatMap(({ text }) => text.match(/[^.]+\./g) ?? []);
  const encode = (all: readonly string[]) =>
    Promise.all(Array.from(chunks(all, ALONE.batch), (batch) => encoder.encode(batch)));
  await encode(texts.slice(0, ALONE.batch));
  const began = performance.now();
  await encode(texts);
  const rate = (1000 * texts.length) / (performance.now() - began);
  await service.close();
  return rate;
}

process.stdout.write(`the bare encoder: ${(await bareRate()).toFixed(0)} sentences a second\n`);
const columns =
  'points  stored a second  question ms  p95  topic ms  p95  bytes  MB  on disk a point  16 callers: a second  p95  look p99.9';
process.stdout.write(`${columns}\n`);
for (const size of process.argv.slice(2).map(Number)) {
  const { points, storing, question, topic, bytes, resident, disk, busy } = await measure(size);
  const [rate, ...waits] = busy;
  const cells = [points, storing, ...question, ...topic, bytes, resident, disk].map((value) =>
    value.toFixed(0).padStart(8),
  );
  const ofCallers = rate === undefined ? '' : [rate.toFixed(2), ...waits.map((value) => value.toFixed(0))].join('  ');
  process.stdout.write(`${cells.join('')}   ${ofCallers}\n`);
}
