/**
 * What a digest costs by the number of documents: seconds where nothing is stored, for a new intent, and without one; peak
 * memory; and the share of the same encoder calls alone. Each size runs in a process of its own over a database file of its own.
 *
 *     npx tsx test/bench/scale.ts 10 100 1000 10000
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDigest } from '../../src/digest/index.ts';
import { startService } from '../../src/server/index.node.ts';
import { readConfiguration } from '../../src/server/index.ts';
import { chunks } from '../../src/text/index.ts';
import { medianTime } from './median.ts';
import { reports } from './reports.ts';

const INTENTS = [
  'What was done about taxes?',
  'Which treaties were signed?',
  'What was said of farmers?',
  'Who voted against the bridge?',
];
const WARM_RUNS = 3;
/** Texts that are encoded again, to learn what the encoder takes alone. */
const SAMPLE = 1000;
/** As digests encode them. */
const BATCH = 32;
/** With more documents, a digest without an intent is left out. */
const MAX_WITHOUT_INTENT = 3000;

interface Row {
  readonly documents: number;
  readonly points: number;
  readonly cold: number;
  readonly encoder: number;
  readonly warm: number;
  readonly firstSentence: number;
  readonly whole: number | null;
  readonly peak: number;
  readonly stored: number;
}

const sizes = process.argv.slice(2).map(Number);
if (process.env.TESSERA_BENCH_SCALE === undefined) report();
else process.stdout.write(JSON.stringify(await measure(sizes[0])));

function report(): void {
  const columns = [
    'documents',
    'points',
    'cold s',
    'encoder s',
    'share',
    'warm s',
    'sentence',
    'no intent',
    'MB',
    'file MB',
  ];
  process.stdout.write(`${columns.map((each) => each.padStart(10)).join('')}\n`);
  const rows = sizes.map((size) => {
    const command = ['--import', 'tsx', fileURLToPath(import.meta.url), String(size)];
    const env = { ...process.env, TESSERA_BENCH_SCALE: '1' };
    const row: Row = JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8', env }));
    const { documents, points, cold, encoder, warm, firstSentence, whole, peak, stored } = row;
    const seconds = (ms: number | null) => (ms === null ? '' : (ms / 1000).toFixed(2));
    const share = `${((100 * encoder) / cold).toFixed(0)}%`;
    const cells = [seconds(cold), seconds(encoder), share, seconds(warm), seconds(firstSentence), seconds(whole)];
    const all = [documents, points, ...cells, peak.toFixed(0), stored.toFixed(0)];
    process.stdout.write(`${all.map((each) => String(each).padStart(10)).join('')}\n`);
    return row;
  });
  const [first, last] = [rows[0], rows[rows.length - 1]];
  const exponent = (of: (row: Row) => number) =>
    (Math.log(of(last) / of(first)) / Math.log(last.points / first.points)).toFixed(2);
  const grown = [exponent(({ cold }) => cold), exponent(({ warm }) => warm), exponent(({ peak }) => peak)];
  process.stdout.write(`growth with the points, exponent: cold ${grown[0]}, warm ${grown[1]}, memory ${grown[2]}\n`);
}

async function measure(count: number): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-scale-'));
  const database = join(folder, 'tessera.sqlite');
  const service = await startService({ ...readConfiguration(process.env), database, logLevel: 'error' });
  try {
    const documents = reports(count);
    const { engine } = service.deps;
    await engine.warmUp();
    const start = performance.now();
    const { keyPoints } = await createDigest({ documents, intent: INTENTS[0] }, service.deps);
    const cold = performance.now() - start;
    let run = 0;
    let firstSentence = Number.NaN;
    const warm = await medianTime(async () => {
      const begun = performance.now();
      firstSentence = Number.NaN;
      const onSentence = () => {
        if (Number.isNaN(firstSentence)) firstSentence = performance.now() - begun;
      };
      await createDigest({ documents, intent: INTENTS[++run % INTENTS.length] }, service.deps, { onSentence });
    }, WARM_RUNS);
    const whole =
      count > MAX_WITHOUT_INTENT ? null : await medianTime(() => createDigest({ documents }, service.deps), 1);
    const peak = process.resourceUsage().maxRSS / 1024;
    const encoder = engine.encoders.get(engine.defaultEncoder);
    if (encoder === undefined) throw new Error('the default encoder is not there');
    const texts = [...new Set(keyPoints.map(({ text }) => text))];
    const sample = texts.filter((_, i) => i % Math.ceil(texts.length / SAMPLE) === 0);
    const begun = performance.now();
    await Promise.all(Array.from(chunks(sample, BATCH), (batch) => encoder.encode(batch)));
    const alone = ((performance.now() - begun) * texts.length) / sample.length;
    const stored = statSync(database).size / 2 ** 20;
    return {
      documents: count,
      points: keyPoints.length,
      cold,
      encoder: alone,
      warm,
      firstSentence,
      whole,
      peak,
      stored,
    };
  } finally {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
