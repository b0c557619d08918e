/**
 * What the Worker takes in workerd, as it is deployed: the size of what is uploaded, processor time of a digest and of an intent
 * over a collection, latencies of jobs through queue and workflow, and memory by the size of what is asked. Workers AI is
 * scripted; its vectors are as long as a model's. `npm run build:edge` first.
 *
 * All of it, or the parts that are named: `npx tsx test/bench/edge.ts size processor collections jobs memory`.
 */
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { checkBundle } from '../../scripts/check-bundle.ts';
import { anotherDay, POINTS as COLLECTED, collectionMemory, QUESTIONS, stored, TOPICS } from './edge-collections.ts';
import {
  asJob,
  embeddings,
  evaluation,
  kernel,
  keyPoints,
  longText,
  type MemoryCase,
  measureMemory,
  waited,
} from './edge-memory.ts';
import { type EdgeProcess, startEdge } from './edge-process.ts';

const DIGESTS = 24;
const JOBS = 50;
/** What an isolate may hold. */
const ISOLATE = 128 * 1024 * 1024;
const DOCUMENTS = 10;
const POINTS = 30;
/** Characters of a sentence of \`longText\`, about. */
const SENTENCE = 77;

const MEMORY: readonly MemoryCase[] = [
  waited(100_000),
  waited(100_000, null),
  asJob(400_000),
  asJob(580_000),
  asJob(580_000, null),
  asJob(1_000_000),
  embeddings(1000),
  kernel(900, 'dpp-map'),
  kernel(900, 'k-dpp'),
  keyPoints(1_000_000),
  evaluation(1_000_000),
  ...collectionMemory(),
];

const print = (line = ''): void => {
  process.stdout.write(`${line}\n`);
};
const row = (...cells: readonly (string | number)[]): void => print(`| ${cells.join(' | ')} |`);
const head = (...cells: readonly string[]): void => {
  row(...cells);
  row(...cells.map(() => '---'));
};
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

function at(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];
}

const told = (values: readonly number[]): string => `${at(values, 0.5).toFixed(0)} / ${at(values, 0.95).toFixed(0)}`;

/** Ten documents of thirty sentences that no other call has. */
const documentsOf = (n: number) =>
  Array.from({ length: DOCUMENTS }, (_, i) => ({ id: `d${i}`, text: longText(POINTS * SENTENCE, `${n}-${i}-`) }));

function size(): void {
  const { bytes, gzipped } = checkBundle(fileURLToPath(new URL('../../dist/edge', import.meta.url)));
  print(`The Worker: ${Math.round(bytes / 1000)} kB, ${Math.round(gzipped / 1000)} kB gzipped.`);
}

/** Milliseconds that the process computes for a call, and that the call takes. */
async function timed(edge: EdgeProcess, call: () => Promise<Response>) {
  const before = edge.cpu();
  const start = performance.now();
  const response = await call();
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text.slice(0, 300)}`);
  return { processor: edge.cpu() - before, clock: performance.now() - start, points: text.match(/"quote":/g)?.length };
}

async function processor(): Promise<void> {
  const edge = await startEdge();
  try {
    const kinds = { cold: [] as Timing[], warm: [] as Timing[] };
    // The first few are compiled.
    for (let n = 0; n < DIGESTS + 4; n++) {
      const documents = documentsOf(n);
      for (const [kind, intent] of [
        ['cold', 'How many more trams were asked for?'],
        ['warm', 'Which winter is meant?'],
      ] as const) {
        const measured = await timed(edge, () => edge.post('/v1/digests', { documents, intent }));
        if (n >= 4) kinds[kind].push(measured);
      }
    }
    print(
      `A digest of ${DOCUMENTS} documents, median / 95th percentile of ${DIGESTS}, all of workerd with D1 and the binding of Workers AI:`,
    );
    print();
    head('', 'processor, ms', 'clock, ms');
    for (const [kind, all] of Object.entries(kinds)) {
      row(kind, told(all.map((each) => each.processor)), told(all.map((each) => each.clock)));
    }
  } finally {
    await edge.runtime.close();
  }
}
type Timing = Awaited<ReturnType<typeof timed>>;

/** What an intent takes over a collection that is searched, and what comes before. */
async function collections(): Promise<void> {
  const edge = await startEdge();
  try {
    const [before, start] = [edge.cpu(), performance.now()];
    const collection = await stored(edge);
    const storing = { processor: edge.cpu() - before, clock: performance.now() - start };
    const ask = (intent: string) => timed(edge, () => edge.post('/v1/digests', { collection, intent }));
    const each = async (intents: readonly string[]) => {
      const all: Timing[] = [];
      for (const intent of intents) all.push(await ask(intent));
      return all;
    };
    await ask('What happened?'); // to compile
    const [questions, topics] = [await each(QUESTIONS), await each(TOPICS)];
    await anotherDay(edge);
    const first = await ask(QUESTIONS[0]);
    print(`A collection of ${COLLECTED} key points, median / 95th percentile:`);
    print();
    head('', 'processor, ms', 'clock, ms');
    for (const [kind, all] of Object.entries({
      stored: [storing],
      'a question': questions,
      'a topic': topics,
      'the first of another day': [first],
    })) {
      row(kind, told(all.map(({ processor }) => processor)), told(all.map(({ clock }) => clock)));
    }
  } finally {
    await edge.runtime.close();
  }
}

async function jobs(): Promise<void> {
  const edge = await startEdge();
  try {
    const order = (n: number) => ({ documents: documentsOf(n), intent: 'How many more trams were asked for?' });
    await edge.ended(await edge.submit(order(-1)));
    const accepted: number[] = [];
    const ended: number[] = [];
    for (let n = 0; n < DIGESTS; n++) {
      const start = performance.now();
      const id = await edge.submit(order(n));
      accepted.push(performance.now() - start);
      await edge.ended(id);
      ended.push(performance.now() - start);
    }
    const start = performance.now();
    const ids = await Promise.all(Array.from({ length: JOBS }, (_, n) => edge.submit(order(1000 + n))));
    for (const id of ids) await edge.ended(id);
    const rate = JOBS / ((performance.now() - start) / 1000);
    head('jobs', 'median / 95th percentile, ms');
    row('accepted (202)', told(accepted));
    row('made, from its request on', told(ended));
    print();
    print(`${JOBS} at once: ${rate.toFixed(1)} a second.`);
  } finally {
    await edge.runtime.close();
  }
}

async function memory(): Promise<void> {
  head('what is asked', 'answer', 'isolate holds', 'of it buffers', 'fits', 'workerd grew', 's');
  for (const each of MEMORY) {
    const { name, outcome, held, buffers, grown, seconds } = await measureMemory(each);
    row(
      name,
      outcome,
      megabytes(held),
      megabytes(buffers),
      held < ISOLATE ? 'yes' : 'no',
      megabytes(grown),
      seconds.toFixed(1),
    );
  }
}

const parts = { size, processor, collections, jobs, memory };
const named = process.argv.slice(2);
print(`${cpus().length} cores of ${cpus()[0]?.model}`);
for (const [name, measure] of Object.entries(parts)) {
  if (named.length > 0 && !named.includes(name)) continue;
  print();
  await measure();
}
