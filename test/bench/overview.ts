/**
 * Every figure beside its bare limit, on one page: a digest of 100 documents beside its encoder and SQLite alone, then selection
 * beside numpy and DPPy (python3) and the same operations as bare products. `npm run bench:details` has the rest.
 */
import BetterSqlite3 from 'better-sqlite3';
import { createDigest } from '../../src/digest/index.ts';
import type { Encoding } from '../../src/models/index.ts';
import { startService } from '../../src/server/index.node.ts';
import { readConfiguration } from '../../src/server/index.ts';
import { chunks } from '../../src/text/index.ts';
import { comparePeers } from './compare-peers.ts';
import { benchInput } from './haystack.ts';
import { SIZES } from './kernels.ts';
import { bareProducts } from './limits.ts';
import { medianTime, ms } from './median.ts';

const WARM_RUNS = 5;
/** Texts of a call, as digests encode them: on all cores. */
const BATCH = 32;
const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

await digests();
const gflops = await bareProducts();
print(`bare products of doubles: ${gflops.toFixed(1)} GFLOPS`);
try {
  for await (const line of comparePeers(SIZES, gflops)) print(line);
} catch (failure) {
  print(`no peers: ${(failure as Error).message}`); // runPeers throws nothing else
}

async function digests(): Promise<void> {
  const { name, documents, intents } = benchInput();
  const service = await startService({ ...readConfiguration(process.env), database: ':memory:', logLevel: 'error' });
  const { engine } = service.deps;
  await engine.warmUp();
  const start = performance.now();
  const { keyPoints } = await createDigest({ documents, intent: intents[0] }, service.deps);
  const cold = performance.now() - start;
  let run = 0;
  const warm = await medianTime(
    () => createDigest({ documents, intent: intents[++run % intents.length] }, service.deps),
    WARM_RUNS,
  );
  const encoder = engine.encoders.get(engine.defaultEncoder);
  if (encoder === undefined) throw new Error('the default encoder is not there');
  const begun = performance.now();
  const batches = Array.from(chunks([...new Set(keyPoints.map(({ text }) => text))], BATCH));
  const encodings = (await Promise.all(batches.map((batch) => encoder.encode(batch)))).flat();
  const encoding = performance.now() - begun;
  await service.close();
  const stored = await medianTime(() => storeAndRead(encodings));
  print(`${name}: ${documents.length} documents, ${keyPoints.length} key points; ${encoder.profile.id}; ms`);
  print('                                         Tessera                   bare limit  of it');
  line('digest, nothing stored', cold, 'encoder alone', encoding);
  line('digest, another intent', warm, 'SQLite alone', stored);
}

/** Writes the vectors of the encodings to an empty database and reads them back. */
function storeAndRead(encodings: readonly Encoding[]): void {
  const database = new BetterSqlite3(':memory:');
  database.exec('CREATE TABLE vectors (id INTEGER PRIMARY KEY, sentence BLOB, tokens BLOB)');
  const insert = database.prepare('INSERT INTO vectors (sentence, tokens) VALUES (?, ?)');
  database.transaction(() => {
    for (const { sentence, tokens } of encodings) insert.run(bytesOf(sentence), bytesOf(tokens));
  })();
  database.prepare('SELECT * FROM vectors').all();
  database.close();
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Int8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function line(what: string, own: number, limit: string, bare: number): void {
  print(
    `  ${what.padEnd(36)} ${ms(own)} ${limit.padStart(17)}  ${ms(bare)} ${`${((100 * bare) / own).toFixed(0)}%`.padStart(6)}`,
  );
}
