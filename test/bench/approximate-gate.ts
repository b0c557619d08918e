/**
 * A prototype of the gate over collections too large to read: an approximate index of sentence vectors names the points nearest to
 * the intent, and the digest is made of the documents that hold them. Against the digest of all documents: coverage of the labelled
 * insights, points that both select, time. Needs the haystacks of the development data and python3; the first run encodes for minutes.
 *
 *     npx tsx test/bench/approximate-gate.ts [speeches = 6000] [copies for the larger index = 10]
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Digest } from '../../src/contract/index.ts';
import { createDigest } from '../../src/digest/index.ts';
import type { BenchmarkCase } from '../../src/lab/benchmark-set.ts';
import { type Haystack, loadHaystack } from '../../src/lab/loaders/haystack.ts';
import { labelledScores } from '../../src/lab/run/score-output.ts';
import { outputOfDigest } from '../../src/lab/run/system-output.ts';
import { startService } from '../../src/server/index.node.ts';
import { readConfiguration } from '../../src/server/index.ts';
import { contentHash, type SourceDocument } from '../../src/text/index.ts';
import { runPeers } from './peers/python.ts';
import { speeches } from './speeches.ts';

interface IndexFigures {
  readonly version: string;
  readonly figures: readonly {
    readonly name: string;
    readonly kind: string;
    readonly built: number;
    readonly megabytes: number;
    readonly ms: number;
    readonly recall: number;
  }[];
}

/** Points that an index names for an intent. */
const NEAREST = [500, 2000];
const HAYSTACKS = process.env.TESSERA_BENCH_HAYSTACKS ?? '../shared/data/haystacks';
const [filler = 6000, copies = 10] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'tessera-gate-'));
const database = process.env.TESSERA_BENCH_DATABASE ?? join(folder, 'tessera.sqlite');
const service = await startService({ ...readConfiguration(process.env), database, logLevel: 'error' });
const { engine, cache } = service.deps;
const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
try {
  await run();
} finally {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const loaded = readdirSync(HAYSTACKS).map((file) => {
    const { documents, queries }: Haystack = JSON.parse(readFileSync(join(HAYSTACKS, file), 'utf8'));
    const named = (id: string): string => `${file}/${id}`;
    const insightsOf = (insights: Haystack['queries'][number]['insights']) =>
      insights.map((insight) => ({ ...insight, documents: insight.documents.map(named) }));
    return loadHaystack(
      {
        documents: documents.map((document) => ({ ...document, id: named(document.id) })),
        queries: queries.map((query) => ({ ...query, insights: insightsOf(query.insights) })),
      },
      file,
    );
  });
  const queries = loaded.flatMap(({ cases }) => cases);
  const documents: SourceDocument[] = [
    ...loaded.flatMap(({ collection }) => collection.documents),
    ...speeches(filler),
  ];
  const score = (query: BenchmarkCase, digest: Digest): number =>
    labelledScores(query, outputOfDigest(digest, [], null)).figures['labelled.coverage'] ?? 0;
  const digestOf = async ({ intent = '', insights = [] }: BenchmarkCase, of: readonly SourceDocument[]) => {
    const start = performance.now();
    const selection = { size: { keyPoints: insights.length } };
    const digest = await createDigest(
      { documents: of, intent, selection, summary: { format: 'bullets' } },
      service.deps,
    );
    return { digest, seconds: (performance.now() - start) / 1000 };
  };
  const chosen = ({ keyPoints }: Digest) => new Set(keyPoints.filter(({ selected }) => selected).map(({ id }) => id));

  const { digest: first, seconds: cold } = await digestOf(queries[0], documents);
  const points = first.keyPoints;
  print(`${documents.length} documents, ${points.length} key points: the first digest takes ${cold.toFixed(0)} s`);
  const exact = [];
  for (const query of queries) exact.push(await digestOf(query, documents));
  const memory = process.resourceUsage().maxRSS / 1024;
  const mean = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0) / all.length;
  const percent = (of100: number) => `${of100.toFixed(1)}%`.padStart(8);
  const coverages = exact.map(({ digest }, q) => score(queries[q], digest));
  print(
    `every document read (${memory.toFixed(0)} MB): coverage ${percent(mean(coverages))}, ${mean(exact.map(({ seconds }) => seconds)).toFixed(2)} s`,
  );

  const encoder = engine.encoders.get(engine.defaultEncoder);
  if (encoder === undefined) throw new Error('the default encoder is not there');
  const hashes = points.map(({ text }) => contentHash(text));
  const stored = await cache.readSentenceVectors(encoder.profile.id, [...new Set(hashes)]);
  const vectors = hashes.map((hash) => stored.get(hash) ?? new Float32Array());
  const asked = await encoder.encode(queries.map(({ intent = '' }) => intent));
  const files = { vectors: join(folder, 'vectors.f32'), queries: join(folder, 'queries.f32') };
  writeFileSync(files.vectors, Buffer.concat(vectors.map(bytesOf)));
  writeFileSync(files.queries, Buffer.concat(asked.map(({ sentence }) => bytesOf(sentence))));
  const dimensions = vectors[0].length;
  const byId = new Map(documents.map((document) => [document.id, document]));
  print(
    'nearest  index                                              recall  ms/query  build s      MB  coverage    same  documents  digest s',
  );
  for (const nearest of NEAREST) {
    const manifest = { ...files, dimensions, nearest, copies: 1, seed: 1, out: join(folder, `near-${nearest}`) };
    const { figures } = runPeers<IndexFigures>('nearest.py', manifest);
    for (const figure of figures) {
      const found = new BigInt64Array(new Uint8Array(readFileSync(`${manifest.out}.${figure.name}.i64`)).buffer);
      const made: { coverage: number; same: number; seconds: number; documents: number }[] = [];
      for (const [q, query] of queries.entries()) {
        const ids = new Set(
          [...found.slice(q * nearest, (q + 1) * nearest)]
            .filter((at) => at >= 0n)
            .map((at) => points[Number(at)].document),
        );
        const some = [...ids].flatMap((id) => byId.get(id) ?? []);
        const { digest, seconds } = await digestOf(query, some);
        const reference = chosen(exact[q].digest);
        const shared = [...chosen(digest)].filter((id) => reference.has(id)).length;
        made.push({
          coverage: score(query, digest),
          same: (100 * shared) / Math.max(1, reference.size),
          seconds,
          documents: some.length,
        });
      }
      const average = (of: (each: (typeof made)[number]) => number) => mean(made.map(of));
      print(
        `${String(nearest).padStart(7)}  ${indexLine(figure)}  ${percent(average(({ coverage }) => coverage))}${percent(average(({ same }) => same))}` +
          `${average(({ documents: read }) => read)
            .toFixed(0)
            .padStart(11)}${average(({ seconds }) => seconds)
            .toFixed(2)
            .padStart(10)}`,
      );
    }
  }
  print(`${copies * points.length} points, the others turned away at random: the index alone`);
  const manifest = { ...files, dimensions, nearest: NEAREST[0], copies, seed: 1, out: join(folder, 'large') };
  for (const figure of runPeers<IndexFigures>('nearest.py', manifest).figures)
    print(`${String(NEAREST[0]).padStart(7)}  ${indexLine(figure)}`);
}

function indexLine({ kind, recall, ms, built, megabytes }: IndexFigures['figures'][number]): string {
  const share = `${(100 * recall).toFixed(1)}%`;
  return `${kind.padEnd(48)} ${share.padStart(8)} ${ms.toFixed(2).padStart(9)} ${built.toFixed(1).padStart(8)} ${megabytes.toFixed(0).padStart(7)}`;
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
