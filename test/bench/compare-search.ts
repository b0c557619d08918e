/**
 * A scan of packed key points beside numpy's exact scan of as many vectors, and a question over a stored collection beside the same
 * in Python: encode, scan, read the nearest 200 again with the same cross-encoder by onnxruntime, and choose by MMR.
 *
 *     npx tsx test/bench/compare-search.ts 10000 100000
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SHIPPED_MODELS } from '../../src/models/encoders/model-folder.node.ts';
import { packDocument, scan, unpackDocuments } from '../../src/selection/index.ts';
import { collectionDocuments, createCollection, putDocuments } from '../../src/server/collections/collections.ts';
import { startService } from '../../src/server/index.node.ts';
import { readConfiguration } from '../../src/server/index.ts';
import { storeCache } from '../../src/store/index.ts';
import { chunks, extractSentences } from '../../src/text/index.ts';
import { seeded, unitVectors } from '../selection/kernel/random.ts';
import { medianTime, ms } from './median.ts';
import { runPeers } from './peers/python.ts';
import { reports } from './reports.ts';

const DIMENSIONS = 384;
const POINTS = 20;
const RUNS = 15;
const QUESTION = 'What was done about night trains?';
const READ = 200;
const DOCUMENTS = 500;
const OPENING = 400;

interface SearchFigures {
  readonly scans: readonly { readonly n: number; readonly ms: number }[];
  readonly rerank: { readonly ms: number };
  readonly versions: Readonly<Record<string, string>>;
}

const folder = mkdtempSync(join(tmpdir(), 'tessera-search-'));
const service = await startService({ ...readConfiguration({}), database: ':memory:', logLevel: 'error' });
try {
  const sizes = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10_000, 100_000];
  const scans: Awaited<ReturnType<typeof scanOf>>[] = [];
  for (const size of sizes) scans.push(await scanOf(size));
  const { seconds, picks, file, vectors } = await question();
  const { versions, ...peer } = runPeers<SearchFigures>('search.py', {
    scans: scans.map(({ n, file }) => ({ n, file })),
    ...{ dimensions: DIMENSIONS, runs: RUNS },
    rerank: { file, vectors, models: SHIPPED_MODELS, question: QUESTION, read: READ, picks },
  });
  print(
    `${Object.entries(versions)
      .map((each) => each.join(' '))
      .join(', ')}; ms`,
  );
  print('                                         Tessera      peer  ratio');
  for (const [place, { n, products, whole }] of scans.entries()) {
    line(`products of ${n} vectors`, products, peer.scans[place].ms);
    line('  with all that tells relevance', whole, peer.scans[place].ms);
  }
  line(`a question over ${DOCUMENTS * POINTS} sentences, a digest`, 1000 * seconds, peer.rerank.ms);
} finally {
  await service.close();
  rmSync(folder, { recursive: true });
}

async function scanOf(n: number) {
  const random = seeded(n);
  const made = unitVectors(random, n, DIMENSIONS);
  const texts = reports(1, 4000)[0].text.split(/(?<=\.) /);
  const packed = Array.from(chunks([...made.keys()], POINTS), (own) =>
    packDocument(
      { vectors: own.map((i) => made[i]), texts: own.map((i) => texts[i % texts.length]), under: own.map(() => null) },
      { language: 'eng', words: 0 },
    ),
  );
  const points = unpackDocuments(packed, { mean: 0.2, deviation: 0.1 });
  const facets = [{ text: QUESTION, vector: made[0] }];
  const options = { surroundings: 0, most: { kept: 256, read: 200 }, isWhole: points.facts.map(() => false) };
  return {
    n,
    file: written(`scan-${n}`, made),
    products: await medianTime(() => points.points.dots(made[0]), RUNS),
    whole: await medianTime(() => scan(points, facets, options), RUNS),
  };
}

async function question() {
  const { deps } = service;
  const documents = reports(DOCUMENTS, 2400);
  const { id } = await createCollection(null, deps.database);
  for (const group of chunks(documents, 100)) await putDocuments(id, group, deps);
  const { documents: stored, storedPoints } = await collectionDocuments(deps.database, id);
  const ask = () =>
    deps.work.makeDigest(
      { intent: QUESTION, documents: [], stored, storedPoints },
      { ...deps, cache: storeCache(deps.database) },
    );
  const { digest } = await ask();
  const seconds = (await medianTime(ask, RUNS)) / 1000;
  const passages = documents.flatMap(({ title = '', text }) =>
    extractSentences(text).map((sentence) => [title, text.slice(0, OPENING), sentence.text]),
  );
  const encoder = deps.engine.encoders.get(deps.engine.defaultEncoder);
  if (encoder === undefined) throw new Error('the default encoder is not there');
  const encoded: Float32Array[] = [];
  for (const batch of chunks(
    passages.map(([, , text]) => text),
    32,
  )) {
    encoded.push(...(await encoder.encode(batch)).map(({ sentence }) => sentence));
  }
  const file = join(folder, 'passages.json');
  writeFileSync(file, JSON.stringify(passages));
  const picks = digest.keyPoints.filter(({ selected }) => selected).length;
  return { seconds, picks, file, vectors: written('passages', encoded) };
}

function written(name: string, vectors: readonly Float32Array[]): string {
  const file = join(folder, `${name}.f32`);
  const all = new Float32Array(vectors.length * DIMENSIONS);
  vectors.forEach((vector, i) => {
    all.set(vector, i * DIMENSIONS);
  });
  writeFileSync(file, new Uint8Array(all.buffer));
  return file;
}

function line(what: string, own: number, peer: number): void {
  print(`  ${what.padEnd(36)} ${ms(own)} ${ms(peer)} ${(peer / own).toFixed(2).padStart(6)}`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
