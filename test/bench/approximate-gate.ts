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
import { startService } from '../../src/server/index.node.ts';
import { readConfiguration } from '../../src/server/index.ts';
import { contentHash, type SourceDocument } from '../../src/text/index.ts';
import { runPeers } from './peers/python.ts';
import { speeches } from './speeches.ts';

interface LabelledDocument extends SourceDocument {
  readonly arguments: readonly {
    readonly start: number;
    readonly end: number;
    readonly keyPoints: readonly string[];
  }[];
}
interface LabelledQuery {
  readonly intent: string;
  readonly insights: readonly { readonly id: string }[];
}
type Quote = Digest['keyPoints'][number]['quote'];
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
/** Of a quote and of an argument that has to be shared for the quote to state it, as the labels are scored everywhere. */
const SHARED = { quote: 0.5, argument: 0.3 };

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
  const haystacks = readdirSync(HAYSTACKS).map((file) => JSON.parse(readFileSync(join(HAYSTACKS, file), 'utf8')));
  const labelled = new Map<string, LabelledDocument>();
  const queries: { query: LabelledQuery; ids: Set<string> }[] = [];
  haystacks.forEach(({ documents, queries: own }, h) => {
    const named: LabelledDocument[] = documents.map((each: LabelledDocument) => ({ ...each, id: `h${h}/${each.id}` }));
    for (const document of named) labelled.set(document.id, document);
    const ids = new Set(named.map(({ id }) => id));
    for (const query of own) queries.push({ query, ids });
  });
  const documents: SourceDocument[] = [...labelled.values(), ...speeches(filler)].map(({ id, text }) => ({ id, text }));

  const score = ({ insights }: LabelledQuery, { summary, keyPoints }: Digest): number => {
    const points = new Map(keyPoints.map((point) => [point.id, point]));
    const covered = new Set(
      summary.sentences
        .filter(({ framing }) => !framing)
        .flatMap((sentence) => {
          const point = points.get(sentence.keyPoints[0]);
          const all = point === undefined ? undefined : labelled.get(point.document)?.arguments;
          return point === undefined || all === undefined ? [] : stated(point.quote, all);
        }),
    );
    return insights.filter(({ id }) => covered.has(id)).length / insights.length;
  };
  const digestOf = async ({ intent, insights }: LabelledQuery, of: readonly SourceDocument[]) => {
    const start = performance.now();
    const selection = { size: { keyPoints: insights.length } };
    const digest = await createDigest(
      { documents: of, intent, selection, summary: { format: 'bullets' } },
      service.deps,
    );
    return { digest, seconds: (performance.now() - start) / 1000 };
  };
  const chosen = ({ keyPoints }: Digest) => new Set(keyPoints.filter(({ selected }) => selected).map(({ id }) => id));

  const { digest: first, seconds: cold } = await digestOf(queries[0].query, documents);
  const points = first.keyPoints;
  print(`${documents.length} documents, ${points.length} key points: the first digest takes ${cold.toFixed(0)} s`);
  const exact = [];
  for (const { query } of queries) exact.push(await digestOf(query, documents));
  const memory = process.resourceUsage().maxRSS / 1024;
  const mean = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0) / all.length;
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`.padStart(8);
  const coverages = exact.map(({ digest }, q) => score(queries[q].query, digest));
  print(
    `every document read (${memory.toFixed(0)} MB): coverage ${percent(mean(coverages))}, ${mean(exact.map(({ seconds }) => seconds)).toFixed(2)} s`,
  );

  const encoder = engine.encoders.get(engine.defaultEncoder);
  if (encoder === undefined) throw new Error('the default encoder is not there');
  const hashes = points.map(({ text }) => contentHash(text));
  const stored = await cache.readSentenceVectors(encoder.profile.id, [...new Set(hashes)]);
  const vectors = hashes.map((hash) => stored.get(hash) ?? new Float32Array());
  const asked = await encoder.encode(queries.map(({ query }) => query.intent));
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
      for (const [q, { query }] of queries.entries()) {
        const ids = new Set(
          [...found.slice(q * nearest, (q + 1) * nearest)]
            .filter((at) => at >= 0n)
            .map((at) => points[Number(at)].document),
        );
        const some = [...ids].flatMap((id) => byId.get(id) ?? []);
        const { digest, seconds } = await digestOf(query, some);
        const reference = chosen(exact[q].digest);
        const same = [...chosen(digest)].filter((id) => reference.has(id)).length / Math.max(1, reference.size);
        made.push({ coverage: score(query, digest), same, seconds, documents: some.length });
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

/** Insights of the arguments that a quote states. */
function stated({ start: from, end: to }: Quote, all: LabelledDocument['arguments']): string[] {
  if (from === null || to === null) return [];
  return all.flatMap(({ start, end, keyPoints }) => {
    const shared = Math.min(end, to) - Math.max(start, from);
    const isStated = shared >= SHARED.quote * (to - from) && shared >= SHARED.argument * (end - start);
    return isStated ? keyPoints : [];
  });
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
