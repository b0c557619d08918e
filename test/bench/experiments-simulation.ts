import { normalCdf, normalQuantile } from '../../src/evaluation/distributions.ts';
import { sampleSize } from '../../src/server/experiments/statistics.ts';
import { lookOften, lookOnce, splitFairly, UNEVEN, WORLDS } from '../server/experiments/simulations.ts';

// How often the statistics of experiments are right, seeded: npx tsx test/bench/experiments-simulation.ts
const print = (line: string) => process.stdout.write(`${line}\n`);
const percent = (share: number) => `${(100 * share).toFixed(2)}%`;
const row = (...cells: readonly string[]) => print(`| ${cells.join(' | ')} |`);
const started = performance.now();

print('A/A, 1,000 subjects an arm, 40,000 runs: false positives at one look, at alpha 5%\n');
row('metric', 'false positives', 'interval holds 0', 'lift interval holds 0');
row('---', '---', '---', '---');
for (const [name, world] of Object.entries(WORLDS)) {
  const { rejected, covered, liftCovered } = lookOnce(world, { subjects: 1000, runs: 40_000, seed: 1 });
  row(name, percent(rejected), percent(covered), percent(liftCovered));
}

print('\nA/A, 100 looks up to 5,000 subjects an arm, 4,000 runs: false positives at any look\n');
row('metric', 'fixed', 'sequential');
row('---', '---', '---');
for (const [name, world] of Object.entries(WORLDS)) {
  const { fixed, sequential } = lookOften(world, { subjects: 5000, runs: 4000, seed: 2 });
  row(name, percent(fixed), percent(sequential));
}

print('\nA/A, uneven splits, 100 looks up to 20,000 subjects, 1,000 runs: false positives at any look\n');
row('metric', 'fixed', 'sequential');
row('---', '---', '---');
for (const [name, world] of Object.entries(UNEVEN)) {
  const { fixed, sequential } = lookOften(world, { subjects: 10_000, runs: 1000, seed: 6 });
  row(name, percent(fixed), percent(sequential));
}

print('\nTrue effect of 10%, 1,000 subjects an arm, 40,000 runs: intervals that hold the truth\n');
row('metric', 'difference', 'lift');
row('---', '---', '---');
for (const [name, world] of Object.entries(WORLDS)) {
  const size = { subjects: 1000, runs: 40_000, seed: 3 };
  const { covered, liftCovered } = lookOnce({ ...world, effect: 0.1 }, size);
  row(name, percent(covered), percent(liftCovered));
}

print('\nFair splits of 2,000 subjects, 50,000 runs: false alarms of the sample ratio\n');
row('weights', 'alarms');
row('---', '---');
for (const weights of [[0.5, 0.5], [0.9, 0.1], [0.99, 0.01], Array.from({ length: 10 }, () => 0.1)]) {
  row(weights.join(' '), percent(splitFairly(weights, { subjects: 2000, runs: 50_000, seed: 4 })));
}

print('\nPower of the two-proportion test, 10,000 runs\n');
row('shares', 'subjects an arm', 'formula', 'found');
row('---', '---', '---', '---');
for (const [p, q] of [
  [0.3, 0.35],
  [0.1, 0.11],
]) {
  const [controlVariance, treatmentVariance] = [p * (1 - p), q * (1 - q)];
  const { treatment } = sampleSize({ difference: q - p, controlVariance, treatmentVariance, controlShare: 1 }, 0.05);
  for (const subjects of [treatment, Math.round(treatment / 2)]) {
    const expected = power((q - p) / Math.sqrt((controlVariance + treatmentVariance) / subjects), 0.05);
    const world = { type: 'binomial', value: p, effect: q / p - 1 } as const;
    const { rejected } = lookOnce(world, { subjects, runs: 10_000, seed: 5 });
    row(`${p} to ${q}`, String(subjects), percent(expected), percent(rejected));
  }
}

print(`\n${((performance.now() - started) / 1000).toFixed(0)} s`);

/** Probability that a two-sided normal test of level alpha rejects, given the true difference in standard errors. */
function power(errors: number, alpha: number): number {
  const critical = -normalQuantile(alpha / 2);
  return normalCdf(errors - critical) + normalCdf(-errors - critical);
}
