import fc from 'fast-check';
import { expect, test } from 'vitest';
import { comparisonPage } from '../../src/cli/compare.node.ts';
import { type Arm, comparisonReport } from '../../src/lab/comparison/comparison-report.ts';
import { distributionOf } from '../../src/lab/comparison/shapes.ts';
import { axisFor, logAxis, placeLabels } from '../../src/lab/report/drawing.ts';
import { forestPlot, histogram, scatter } from '../../src/lab/report/plots.ts';
import { compared, madeBy } from '../lab/comparison/samples.ts';

const arm = (name: string): Arm => ({ name, options: {} });

/** A report of arms by their values over the data, the first of them the baseline. */
function reportOf(values: Readonly<Record<string, readonly number[]>>) {
  const names = Object.keys(values);
  const comparison = { name: 'c', arms: names.map(arm), baseline: names[0], metrics: null };
  return comparisonReport(comparison, { made: names.flatMap((name) => madeBy(name, values[name])), failed: [] });
}

/** Attributes of every element of a kind, as numbers. */
function attributes(markup: string, element: string, ...names: string[]): number[][] {
  const found = [...markup.matchAll(new RegExp(`<${element} [^>]*>`, 'g'))].map(([tag]) => tag);
  return found.map((tag) => names.map((name) => Number(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1])));
}

test('an axis holds its values between round ticks, and keeps their proportions', () => {
  const { ticks, digits, at } = axisFor([0, 37], 100, 200, 5);
  expect([ticks, digits, at(0), at(40), at(20)]).toEqual([[0, 10, 20, 30, 40], 0, 100, 200, 150]);
  expect(axisFor([], 0, 1, 4)).toMatchObject({ digits: 1 });
  const hundredths = fc.integer({ min: -1e6, max: 1e6 }).map((value) => value / 100);
  const values = fc.array(hundredths, { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(values, fc.constantFrom([0, 100], [300, 20]), (all, [start, end]) => {
      const axis = axisFor(all, start, end, 6);
      const [low, high] = [Math.min(start, end), Math.max(start, end)];
      for (const value of all) {
        expect(axis.at(value)).toBeGreaterThan(low - 1e-3);
        expect(axis.at(value)).toBeLessThan(high + 1e-3);
      }
      expect(axis.ticks.length).toBeGreaterThan(1);
      expect(axis.ticks.length).toBeLessThan(15);
      // What a label says is where its tick stands.
      for (const tick of axis.ticks) expect(Number(tick.toFixed(axis.digits))).toBeCloseTo(tick, 9);
    }),
  );
});

test('on a logarithmic axis equal ratios are equally far apart', () => {
  const { ticks, digits, at } = logAxis([107, 26_000], 0, 900);
  expect(ticks).toEqual([100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000]);
  expect([digits, at(100), at(50_000)]).toEqual([0, 0, 900]);
  expect(at(400) - at(200)).toBeCloseTo(at(8000) - at(4000), 9);
  expect(logAxis([0.3, 4], 0, 1)).toMatchObject({ ticks: [0.2, 0.5, 1, 2, 5], digits: 1 });
});

test('a forest plot draws each interval where the axis says, filled where it is told apart from none', () => {
  const report = reportOf({ base: [0, 0, 0, 0, 0, 0], up: [8, 10, 9, 11, 10, 9], even: [-1, 1, -2, 2, -1, 1] });
  const [metric] = report.metrics;
  const { markup } = forestPlot(metric, report.arms);
  expect(markup).toMatch(/<text class="label"[^>]*>up</);
  expect([...markup.matchAll(/<circle class="(\w+)"/g)].map(([, style]) => style)).toEqual(['told', 'untold']);
  const lines = attributes(markup, 'line', 'x1', 'x2');
  const [zero] = attributes(markup.replace(/<line class="(?!zero)[^>]*>/g, ''), 'line', 'x1');
  const [[up], [even]] = attributes(markup, 'circle', 'cx');
  expect(even).toBe(zero[0]);
  const [upRange, evenRange] = lines.slice(-2);
  expect(upRange[0]).toBeGreaterThan(zero[0]);
  expect([upRange[0] < up, up < upRange[1], evenRange[0] < even, even < evenRange[1]]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(markup).toContain('9.5 [');
});

test('an arm far off is told at the edge, and does not press the others together', () => {
  const near = Object.fromEntries([1, 2, 3, 4, 5].map((place) => [`near ${place}`, [place, place + 1, place + 2]]));
  const report = reportOf({ base: [0, 0, 0], ...near, far: [9000, 9100, 9200] });
  const { markup } = forestPlot(report.metrics[0], report.arms);
  expect(markup).toMatch(/<text class="beyond"[^>]*>▶</);
  expect(markup).toContain('9100.0 [9000.0, 9200.0]');
  const places = attributes(markup, 'circle', 'cx').map(([x]) => x);
  expect(Math.max(...places) - Math.min(...places)).toBeGreaterThan(10);
  expect(markup).not.toContain('NaN');
});

test('a histogram holds shares of values, and the outline of the baseline', () => {
  const scale = { from: 0, to: 4, bins: 4, isCut: true };
  const [own, base] = [distributionOf([0, 0, 1, 3], scale), distributionOf([2, 2], scale)];
  const { markup } = histogram('x', own, base, { scale, most: 1, digits: 0 });
  const heights = attributes(markup, 'rect', 'height').map(([height]) => height);
  expect(heights).toEqual([22, 11, 11]);
  expect(markup).toContain('4 and more');
  expect(markup).toMatch(/<path class="outline" d="M0 48V48H57.5V48H115V4H172.5V48H230V48"/);
});

test('labels keep off the points and each other', () => {
  const points = [
    { x: 0, y: 0 },
    { x: 10, y: 0 },
    { x: 500, y: 500 },
  ];
  const labels = placeLabels(points, 14);
  expect(labels).toHaveLength(3);
  for (const [place, { x, y }] of labels.entries()) {
    const others = [...points, ...labels.slice(0, place)];
    expect(others.every((each) => Math.abs(each.x - x) >= 14 || Math.abs(each.y - y) >= 0.75 * 14)).toBe(true);
  }
});

test('a scatter has a dot for each arm, the longer the farther to the right', () => {
  const comparison = { name: 'c', arms: ['a', 'b', 'c'].map(arm), baseline: 'a', metrics: ['summhay.joint'] };
  const made = [100, 300, 5000].map((words, place) => ({
    item: { arm: 'abc'[place], datum: 'd' },
    known: false,
    result: compared({ 'digest.words': words, 'summhay.joint': 30 - place }),
  }));
  const report = comparisonReport(comparison, { made, failed: [] });
  const { markup } = scatter(report, report.metrics[0]);
  const dots = attributes(markup, 'circle', 'cx', 'cy');
  expect(dots).toHaveLength(3);
  const [a, b, c] = dots;
  expect([a[0] < b[0], b[0] < c[0], a[1] < b[1], b[1] < c[1]]).toEqual([true, true, true, true]);
  expect(markup).toContain('logarithmic');
  expect(markup).toMatch(/<circle class="base"[^>]*><title>1 a: joint 30\.0, words 100</);
});

test('a page without a single digest, and without anything to compare, stands', () => {
  const failed = [{ item: { arm: '<b>', datum: 'd' }, failure: new Error('a & b') }];
  const alone = { name: 'c', arms: [arm('<b>')], baseline: '<b>', metrics: null };
  const page = comparisonPage(comparisonReport(alone, { made: [], failed }), { failed });
  expect(page).toContain('a &amp; b');
  expect(page).not.toMatch(/<b>|NaN|Infinity|id="differences"/);
});
