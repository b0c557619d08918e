import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JudgeRecord } from '../../../src/evaluation/index.ts';
import { clippedInside, spreadApart } from '../../../src/lab/report/drawing.ts';
import { linePlot } from '../../../src/lab/report/plots.ts';
import { runPage } from '../../../src/lab/report/run-page.ts';
import type { OutputRun } from '../../../src/lab/run/run-outputs.ts';
import { type ReportedSystems, type SetRun, setReport } from '../../../src/lab/run/run-report.ts';
import type { ScoredOutput } from '../../../src/lab/run/score-output.ts';
import type { RunSet, System } from '../../../src/lab/run/system.ts';
import { NO_USAGE } from '../../../src/models/index.ts';

const JUDGE: JudgeRecord = { name: 'embedded', encoder: 'hashed', version: 'e1', model: null, prompts: {} };
const EVIL = '"><script>alert(1)</script>';
const BASE = 'map, the baseline';
const FAMILY = 'read in an order';

const digest = (name: string, more: Partial<System> = {}): System => ({
  name,
  options: {},
  needsModel: false,
  ...more,
});
const SYSTEMS: readonly System[] = [
  digest(BASE, { options: { selection: { strategy: 'dpp-map' } }, retrieval: { by: 'bm25', budget: 900 } }),
  digest(`evil ${EVIL}`),
  ...(['top', 'bottom', 'random'] as const).map((order) =>
    digest(`${FAMILY}, ${order}`, { family: { family: FAMILY, order }, retrieval: { by: 'full', order } }),
  ),
  { name: 'from a file', outputs: new Map() },
  digest('needs a model', { needsModel: true }),
];
const REPORTED: ReportedSystems = { systems: SYSTEMS, baseline: BASE, metrics: null, skipped: ['needs a model'] };
const RAN = SYSTEMS.slice(0, -1).map(({ name }) => name);

function setOf(name: string, more: Partial<RunSet> = {}): RunSet {
  const cases = ['a', 'b', 'c', 'd'].map((id, place) => ({
    id,
    collection: 'one',
    domain: place < 2 ? `domain ${EVIL}` : undefined,
    questionKind: ['why', 'how'][place % 2],
  }));
  const documents = [{ id: 'd', text: 'words' }];
  return { name, collections: [{ id: 'one', documents }], cases, made: [], ...more };
}

function output(score: number, more: Partial<ScoredOutput> = {}): ScoredOutput {
  return {
    figures: { 'summhay.joint': score, 'summhay.coverage': score + 5, 'digest.words': 100 + score },
    over: {},
    sentenceWords: [10, 20],
    isPartial: false,
    usage: { requests: 0, promptTokens: 0, completionTokens: 0, cost: 0 },
    byPosition: null,
    unreadable: 0,
    warnings: [],
    verdicts: {},
    ...more,
  };
}

/** Outputs of the systems over all cases of a set, each a point better than the one before. */
function runOf(
  set: RunSet,
  scored: (score: number) => ScoredOutput = (score) => output(score),
  failed: OutputRun['failed'] = [],
  ran: readonly string[] = RAN,
): SetRun {
  const isFailed = (arm: string, datum: string) => failed.some(({ item }) => item.arm === arm && item.datum === datum);
  const made = ran.flatMap((arm, place) =>
    set.cases.flatMap(({ id }, at): OutputRun['made'] =>
      isFailed(arm, id)
        ? []
        : [{ item: { arm, datum: id }, result: scored(30 + place + ((at * (place + 2)) % 5)), known: false }],
    ),
  );
  const run = { made, failed, isStopped: false, spent: NO_USAGE };
  return { set, run, report: setReport(set, REPORTED, run), records: {} };
}

const MADE: RunSet['made'] = [
  {
    step: 'questions',
    version: 2,
    seed: 77,
    model: { model: 'a model', temperature: 0.25, topP: null, seed: null },
    prompts: { 'benchmark-questions': `0123456789abcdef${'0'.repeat(48)}` },
    options: { perDocument: 4, note: EVIL },
    counts: { calls: 41, malformed: 3 },
    failedAttempts: [
      { document: 'document-3', chapter: 2, attempt: 1, why: 'wrong', missing: [`lost ${EVIL}`], extraneous: [] },
      { document: 'document-3', chapter: 2, attempt: 2, why: 'unwritten', missing: ['lost'], extraneous: [] },
    ],
  },
];

function wholeRun(): SetRun[] {
  const spent = { requests: 2, promptTokens: 500, completionTokens: 60, cost: 0.5 };
  const rich = (score: number) =>
    output(score, {
      figures: { ...output(score).figures, 'digest.tokens': 560, 'digest.cost': score / 1000 },
      byPosition: [score, 50, null, 70, 90],
      usage: spent,
      unreadable: 1,
    });
  const failed = [{ item: { arm: `evil ${EVIL}`, datum: 'c' }, failure: new Error(`broken ${EVIL}`) }];
  return [runOf(setOf(`first ${EVIL}`, { made: MADE }), rich, failed), runOf(setOf('second'))];
}

const page = (runs = wholeRun()) => runPage(`a run ${EVIL}`, JUDGE, runs, SYSTEMS);
const escaped = (text: string) => text.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
/** Text and attributes of all elements of a name that do not nest. */
const elements = (markup: string, name: string) =>
  [...markup.matchAll(new RegExp(`<${name}[ >].*?</${name}>`, 'gs'))].map(([whole]) => whole);

test('a page runs and loads nothing, and escapes every name', () => {
  const markup = page();
  expect(markup).not.toMatch(/<script|<link|<img|@import|url\(|\son\w+=/i);
  expect(markup).not.toMatch(/NaN|Infinity|undefined|\[object/);
  for (const name of ['a run ', 'first ', 'evil ', 'domain ', 'broken '])
    expect(markup).toContain(name + escaped(EVIL));
  expect(markup).toContain(`<dt>note</dt><dd>${escaped(EVIL)}</dd>`);
});

test('ids are unique, and every link leads to one', () => {
  const markup = page();
  const ids = [...markup.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const links = [...markup.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => id);
  expect(links).toContain('set-2-means');
  expect(links.filter((id) => !ids.includes(id))).toEqual([]);
});

test('headings go down by one level at a time, from the only first one', () => {
  const levels = [...page().matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
  expect(levels[0]).toBe(1);
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  for (const [place, level] of levels.entries())
    if (place > 0) expect(level).toBeLessThanOrEqual(levels[place - 1] + 1);
  expect(Math.max(...levels)).toBe(4);
});

test('every system is named in every table of systems, by the same number', () => {
  const tables = elements(page(), 'table').filter((table) => table.includes('<th scope="col" class="name">System<'));
  // Overview, systems, and of the sets means, lengths, two breakdowns and differences; of the first places and tokens too.
  expect(tables.length).toBeGreaterThan(12);
  for (const table of tables) {
    if (table.includes('Position sensitivity')) {
      expect(table).toContain(`<th scope="row">${FAMILY}</th>`);
      continue;
    }
    const isDifferences = table.includes('Paired differences');
    for (const [place, name] of RAN.entries()) {
      if (isDifferences) expect(table.includes(escaped(name))).toBe(name !== BASE);
      else expect(table).toContain(`<span class="muted">${place + 1}</span> ${escaped(name)}`);
    }
  }
});

test('systems that were given several retrievals stand in a matrix of each score, and nowhere without', () => {
  const cells = ['plain', `odd ${EVIL}`].flatMap((summariser) =>
    ['bm25', 'full'].map((retriever) => digest(`${summariser}, ${retriever}`, { cell: { summariser, retriever } })),
  );
  // The last of them gave nothing.
  const systems = cells.slice(0, 3);
  const set = setOf('matrix');
  const made = systems.flatMap(({ name: arm }, place) =>
    set.cases.map(({ id: datum }, at) => ({
      item: { arm, datum },
      result: output(10 * place + at, place === 1 && at === 0 ? { figures: { 'digest.words': 3 } } : {}),
      known: false,
    })),
  );
  const run = { made, failed: [], isStopped: false, spent: NO_USAGE };
  const report = setReport(set, { systems, baseline: systems[0].name, metrics: null, skipped: [] }, run);
  const markup = runPage('a run', JUDGE, [{ set, run, report, records: {} }], systems);
  const section = markup.split('id="set-1-matrix"')[1].split('</section>')[0];
  expect(markup).toContain('href="#set-1-matrix"');
  const tables = elements(section, 'table');
  expect(tables.map((table) => /<caption>([^,]*),/.exec(table)?.[1])).toEqual(['joint', 'coverage']);
  const rows = tables.map((table) =>
    elements(table, 'tr')
      .slice(1)
      .map((row) =>
        elements(row, 'td').map(
          (cell) =>
            cell
              .replace(/<[^>]+>/g, ' ')
              .trim()
              .split(/ +/)[0],
        ),
      ),
  );
  // Means of 0 to 3, of 11 to 13 and of 20 to 23, and 5 more of coverage.
  expect(rows).toEqual([
    [
      ['1.5', '12.0'],
      ['21.5', '–'],
    ],
    [
      ['6.5', '17.0'],
      ['26.5', '–'],
    ],
  ]);
  expect(tables[0]).toContain('n = 3');
  expect(tables[0]).toMatch(/\d to \d/);
  expect(section).toContain(escaped(`odd ${EVIL}`));
  expect(page()).not.toContain('-matrix"');
});

test('a set tells how it was made, what failed, what could not be read and what it took', () => {
  const [first, second] = page().split('id="set-2"');
  expect(first).toMatch(/questions<span class="why">version 2<.*a model<dl><dt>temperature<\/dt><dd>0\.25</s);
  expect(first).toMatch(/<code title="0123456789abcdef0+">01234567<\/code>/);
  expect(first).toContain('<dt>malformed</dt><dd>3</dd>');
  const attempts = `<th scope="row">document-3</th><td>2</td><td>1</td><td class="wide"><dl><dt>not told</dt><dd>lost ${escaped(EVIL)}</dd>`;
  expect(first).toContain(attempts);
  expect(first).toContain('<td>2</td><td>2</td><td class="wide">nothing that could be read</td>');
  expect(first).toContain('23 verdicts of the language model could not be read');
  expect(first).toContain(`<th scope="row">c</th><td>evil ${escaped(EVIL)}</td>`);
  // 23 outputs of two requests each, one of 24 failed.
  expect(first).toContain('46 calls, 11500 + 1380 tokens, at a cost of 11.5000');
  const without = second.split('id="systems"')[0];
  expect(without).not.toMatch(/How it was made|could not be (read|made)|Tokens and cost|by place/);
});

test('the end of the page tells options and retrieval, and what did not run', () => {
  const end = page().split('id="systems"')[1];
  expect(end).toContain('{&quot;selection&quot;:{&quot;strategy&quot;:&quot;dpp-map&quot;}}');
  expect(end).toContain('{&quot;by&quot;:&quot;bm25&quot;,&quot;budget&quot;:900}');
  expect(end).toMatch(/from a file<\/th><td class="wide">outputs from a file/);
  expect(end).toMatch(/needs a model<span class="why">did not run/);
});

test('sets of one metric share the axis of their plots', () => {
  const low = runOf(setOf('low'), (score) => output(score / 10));
  const high = runOf(setOf('high'), (score) => output(score + 40));
  const plots = elements(page([low, high]), 'figure');
  const [ticks, others] = plots.map((plot) =>
    [...plot.matchAll(/<text class="tick" x="([\d.]+)" y="18"[^>]*>([^<]*)/g)].map(([, x, tick]) => `${x} ${tick}`),
  );
  expect(ticks.length).toBeGreaterThan(2);
  expect(others).toEqual(ticks);
  const dots = plots.map((plot) => [...plot.matchAll(/<circle [^>]*cx="([\d.]+)"/g)].map(([, x]) => Number(x)));
  expect(dots.map((each) => each.length)).toEqual([RAN.length, RAN.length]);
  expect(Math.max(...dots[0])).toBeLessThan(Math.min(...dots[1]));
});

test('a system that is not of every set keeps its number, and has a dash where it is not', () => {
  const markup = page([
    runOf(setOf('x'), undefined, [], RAN.slice(1)),
    runOf(setOf('y'), undefined, [], [RAN[0], RAN[3]]),
  ]);
  // The first set ran five systems; the sixth is that of the second set alone.
  const overview = elements(markup, 'table')[0];
  expect(overview).toMatch(/6<\/span> map, the baseline<\/th><td>–<\/td><td>\d/);
  const ofSecond = markup.split('id="set-2-means"')[1].split('id="set-2-differences"')[0];
  expect([...ofSecond.matchAll(/<th scope="row"><span class="muted">(\d)/g)].map(([, number]) => number)).toEqual([
    '6',
    '3',
  ]);
});

test('lines are told apart by number, hue and mark; a tenth without questions is passed over', () => {
  const bin = (value: number | null, place: number) => ({
    from: place / 2,
    to: (place + 1) / 2,
    coverage: { value, low: null, high: null, n: value === null ? 0 : 1 },
  });
  const courses = Array.from({ length: 12 }, (_, place) => ({
    number: place + 1,
    system: `s${place + 1}`,
    bins: [bin(10 * place, 0), bin(place === 3 ? null : 50, 1)],
  }));
  const { markup } = linePlot('x', courses);
  const groups = elements(markup, 'g');
  expect(groups).toHaveLength(12);
  const shapeOf = (group: string) => {
    const marks = [...group.matchAll(/<path class="(mark[^"]*)" d="([^"]*)"/g)].map(
      ([, style, d]) => style + d.replace(/[\d.\s-]/g, ''),
    );
    expect(new Set(marks).size).toBe(1);
    return `${/hue-\d/.exec(group)?.[0]} ${marks[0]}`;
  };
  expect(new Set(groups.map(shapeOf)).size).toBe(12);
  expect(markup).not.toContain('NaN');
  const labels = [...markup.matchAll(/<text class="label" x="[\d.]+" y="([\d.]+)"/g)]
    .map(([, y]) => Number(y))
    .sort((a, b) => a - b);
  for (const [place, y] of labels.entries()) if (place > 0) expect(y - labels[place - 1]).toBeGreaterThan(15.8);
});

test('places that are too near are moved apart, in their order, within bounds', () => {
  const places = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 11 });
  fc.assert(
    fc.property(places, (all) => {
      const moved = spreadApart(all, 10, 0, 100);
      const order = all.map((_, place) => place).sort((a, b) => moved[a] - moved[b]);
      for (const [rank, place] of order.entries()) {
        expect(moved[place]).toBeGreaterThanOrEqual(0);
        expect(moved[place]).toBeLessThanOrEqual(100);
        if (rank === 0) continue;
        expect(moved[place] - moved[order[rank - 1]]).toBeGreaterThanOrEqual(10);
        expect(all[place]).toBeGreaterThanOrEqual(all[order[rank - 1]]);
      }
    }),
  );
  expect(spreadApart([50, 5, 80], 10, 0, 100)).toEqual([50, 5, 80]);
});

test('a long name loses its middle, and keeps as many characters as fit', () => {
  expect(clippedInside('everything, written, top', 11)).toBe('every…, top');
  expect(clippedInside('short', 5)).toBe('short');
  expect([...clippedInside('😀'.repeat(9), 4)]).toEqual(['😀', '😀', '…', '😀']);
});
