/**
 * What the results of a large experiment cost: a SQLite file with 1,000,000 exposed subjects and 5,000,000 outcomes of four metrics, seeded,
 * then the time of `readAggregates`, and how fast `recordOutcomes` takes further outcomes in batches of 1,000.
 * `tsx test/bench/experiments-load.ts [SUBJECTS] [OUTCOMES]`.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { sql } from 'drizzle-orm';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { assign } from '../../src/server/experiments/assign-subject.ts';
import { defineExperiment } from '../../src/server/experiments/define-experiment.ts';
import type { Experiment } from '../../src/server/experiments/experiment.ts';
import { readAggregates } from '../../src/server/experiments/read-aggregates.ts';
import { type ReceivedOutcome, recordOutcomes } from '../../src/server/experiments/record-outcomes.ts';
import { startExperiment } from '../../src/server/experiments/start-experiment.ts';
import { sumsOf } from '../../src/store/experiment-data.ts';
import { openDatabase } from '../../src/store/index.node.ts';

const [subjects, outcomes] = [Number(process.argv[2] ?? 1_000_000), Number(process.argv[3] ?? 5_000_000)];
const METRICS = ['converted', 'spent', 'visits', 'perPage'];
const folder = mkdtempSync(join(tmpdir(), 'tessera-experiments-'));
const file = join(folder, 'tessera.sqlite');
const generator = xoroshiro128plus(2026);
const print = (line: string) => process.stdout.write(`${line}\n`);
const random = (): number => uniformFloat64(generator);

/** Ids in no order, as those of real users are. */
function subjectOf(index: number): string {
  return `user-${(Math.imul(index + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')}`;
}

function drawValue(metric: number): number {
  return metric === 1 ? Math.round(random() * 10_000) / 100 : 1;
}

function drawDenominator(metric: number): number {
  return metric === 3 ? 1 + Math.floor(random() * 5) : 0;
}

/** Writes subjects, outcomes and totals without the service, which would ask for every batch what it knows of it. */
function fill(experiment: Experiment): void {
  const sqlite = new BetterSqlite3(file);
  sqlite.pragma('synchronous = OFF');
  sqlite.pragma('cache_size = -1500000');
  const places = new Map(experiment.variants.map(({ name }, place) => [name, place]));
  const expose = sqlite.prepare('insert into experiment_exposures values (?, 1, 1, ?, ?, ?, 0)');
  const keep = sqlite.prepare('insert into experiment_events values (?, 1, ?, 1, ?, ?, ?, ?, ?)');
  const add = sqlite.prepare(
    `insert into experiment_totals values (?, 1, 1, ?, ?, ?, ?, 0, ?, 0, 1)
      on conflict do update set x = x + excluded.x, y = y + excluded.y, events = events + 1`,
  );
  const start = experiment.startedAt ?? 0;
  const seen = new Uint8Array(subjects);
  sqlite.transaction(() => {
    for (let index = 0; index < subjects; index++) {
      const { variant } = assign(experiment, subjectOf(index));
      seen[index] = places.get(variant ?? '') ?? 0;
      expose.run('default', subjectOf(index), seen[index], start);
    }
    for (let number = 0; number < outcomes; number++) {
      const index = Math.floor(random() * subjects);
      const metric = Math.floor(random() * METRICS.length);
      const [value, denominator] = [drawValue(metric), drawDenominator(metric)];
      keep.run('default', `event-${number}`, subjectOf(index), metric, value, denominator, start + number);
      add.run('default', metric, seen[index], subjectOf(index), value, denominator);
    }
    sqlite.prepare('update experiments set data_version = 1').run();
  })();
  sqlite.close();
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work();
  print(`${what}: ${((performance.now() - begun) / 1000).toFixed(3)} s`);
  return result;
}

let database = openDatabase(file);
const metric = { direction: 'increase', minimumEffect: null } as const;
await defineExperiment(database, {
  key: 'load',
  hypothesis: 'Results stay quick.',
  variants: ['control', 'treatment'].map((name) => ({ name, weight: 0.5, options: {} })),
  metrics: [
    { ...metric, key: 'converted', type: 'binomial' },
    { ...metric, key: 'spent', type: 'mean' },
    { ...metric, key: 'visits', type: 'count' },
    { ...metric, key: 'perPage', type: 'ratio' },
  ],
});
const experiment = await startExperiment(database, 'load');
database.close();
await timed(`${subjects} exposures and ${outcomes} outcomes written`, async () => fill(experiment));
print(`${(statSync(file).size / 2 ** 20).toFixed(0)} MiB`);

database = openDatabase(file);
const plan = await database.query.all<{ detail: string }>(
  sql`explain query plan ${sumsOf(database, 'load', 1, 0, false)}`,
);
print(`plan: ${plan[0].detail}`);
const { exposed, sums } = await timed('aggregates', () => readAggregates(database, experiment));
await timed('aggregates again, nothing new', () => readAggregates(database, experiment));
print(exposed.map(({ variant, subjects: n }) => `${variant}: ${n} subjects`).join(', '));
for (const { metric: key, variant, x, subjects: n } of sums.filter(({ events }) => events > 0)) {
  print(`${key}, ${variant}: ${x} of ${n} subjects`);
}

const BATCHES = 50;
const batches = Array.from({ length: BATCHES }, (_, batch) =>
  Array.from({ length: 1000 }, (_, place): ReceivedOutcome => {
    const subject = subjectOf(Math.floor(random() * subjects));
    return { eventId: `late-${batch}-${place}`, subject, metric: 'spent', value: drawValue(1) };
  }),
);
const begun = performance.now();
let accepted = 0;
for (const batch of batches) accepted += (await recordOutcomes(database, 'load', batch)).accepted;
const seconds = (performance.now() - begun) / 1000;
print(
  `recordOutcomes: ${Math.round(accepted / seconds)} outcomes a second, ${((seconds / BATCHES) * 1000).toFixed(1)} ms a batch`,
);
await timed('aggregates after them', () => readAggregates(database, experiment));
database.close();
rmSync(folder, { recursive: true });
