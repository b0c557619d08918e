/**
 * What an intent costs over a stored collection by its number of key points: seconds, bytes of the answer, memory of the process
 * and bytes on disk; and how many key points a second are stored, beside the bare encoder. Each size has a service of its own.
 *
 *     npm run build && npx tsx test/bench/collections.ts 1000 10000
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../src/client/index.ts';
import { startService } from '../../src/server/index.node.ts';
import { readConfiguration } from '../../src/server/index.ts';
import { chunks } from '../../src/text/index.ts';
import { startChild } from './child-service.ts';
import { reports } from './reports.ts';

const INTENTS = [
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
  readonly median: number;
  readonly p95: number;
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
    const asked = [];
    for (const intent of INTENTS) asked.push(await ask(intent));
    const times = asked.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
    const stored = readdirSync(folder).filter((name) => name.startsWith('tessera.sqlite'));
    return {
      points,
      storing,
      median: times[times.length >> 1],
      p95: times[Math.ceil(0.95 * times.length) - 1],
      bytes: Math.max(...asked.map(({ bytes }) => bytes)),
      resident: await service.residentMegabytes(),
      disk: stored.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / points,
    };
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
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
process.stdout.write('points   stored a second   median ms   p95 ms   answer bytes   MB   bytes on disk a point\n');
for (const size of process.argv.slice(2).map(Number)) {
  const { points, storing, median, p95, bytes, resident, disk } = await measure(size);
  const cells = [points, storing, median, p95, bytes, resident, disk].map((value) => value.toFixed(0).padStart(9));
  process.stdout.write(`${cells.join('')}\n`);
}
