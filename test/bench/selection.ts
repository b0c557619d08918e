/**
 * Time and memory of selection on seeded kernels of two named families, and of greedy MAP with BERTScore rows on demand.
 * Medians, after one run to warm up. Each figure of memory comes from a process of its own.
 */
import { spawnSync } from 'node:child_process';
import { FAMILIES, familyKernel, SIZES } from './kernels.ts';
import { ms } from './median.ts';
import { type RowsOnDemandFigures, rowsOnDemand } from './rows-on-demand.ts';
import { FIXED_SIZE, PICKS, selectionFigures } from './selection-figures.ts';

const SCALES = [500, 1000, 2000, 4000, 8000];

const [n] = process.argv.slice(2);
if (n !== undefined) {
  const figures = await rowsOnDemand(Number(n), 3);
  process.stdout.write(JSON.stringify(figures));
} else {
  await denseKernels();
  onDemand();
}

async function denseKernels(): Promise<void> {
  for (const family of FAMILIES) {
    process.stdout.write(`${family.name}: ${family.what}; points in the unit cube, distances by their median; ms\n`);
    process.stdout.write(
      '       n  E|S|  path     greedy   sample: first  further  k-DPP: first  further  marginals\n',
    );
    for (const size of SIZES) {
      const figures = await selectionFigures(familyKernel(family, size), size);
      const { greedy, firstDraw, furtherDraw, firstFixed, furtherFixed, marginals, path, expectedSize } = figures;
      process.stdout.write(
        `${String(size).padStart(8)} ${expectedSize.toFixed(1).padStart(5)}  ${path.padEnd(6)} ${ms(greedy.ms)}      ${ms(firstDraw)}` +
          `${ms(furtherDraw)}     ${ms(firstFixed)}${ms(furtherFixed)}  ${ms(marginals)}\n`,
      );
    }
  }
  process.stdout.write(`greedy: ${PICKS} picks; k-DPP: ${FIXED_SIZE} items\n`);
}

function onDemand(): void {
  process.stdout.write('\ngreedy MAP, 40 of n points of 24 tokens, BERTScore rows on demand, onnxruntime\n');
  const points = SCALES.map((size) => ({ size, ...measure(size) }));
  for (const { size, ms: total, productMs, memory } of points) {
    process.stdout.write(
      `  ${String(size).padStart(5)} ${ms(total)} ms, bare products ${ms(productMs)} ms; ` +
        `memory ${memory.toFixed(2)} times the token vectors\n`,
    );
  }
  process.stdout.write(`  time grows as n^${exponent(points).toFixed(2)}\n`);
}

function measure(size: number): RowsOnDemandFigures {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', import.meta.filename, String(size)],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as RowsOnDemandFigures;
}

/** The slope of log time against log n, by least squares. */
function exponent(points: readonly { readonly size: number; readonly ms: number }[]): number {
  const x = points.map(({ size }) => Math.log(size));
  const y = points.map((point) => Math.log(point.ms));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  return (
    x.reduce((sum, value, i) => sum + (value - mx) * (y[i] - my), 0) /
    x.reduce((sum, value) => sum + (value - mx) ** 2, 0)
  );
}
