import fc from 'fast-check';
import { expect, test } from 'vitest';
import { number } from '../../../src/evaluation/index.ts';
import { reportPage } from '../../../src/lab/report/page.ts';
import {
  type Cell,
  type Chart,
  cellText,
  printReport,
  type Report,
  reportCsv,
  textTable,
} from '../../../src/lab/report/report.ts';
import { runReport } from '../../../src/lab/report/reports.ts';
import type { OutputRun } from '../../../src/lab/run/run-outputs.ts';
import { type SetRun, setReport } from '../../../src/lab/run/run-report.ts';
import type { RunSet, System } from '../../../src/lab/run/system.ts';
import { JUDGE } from '../results/scored-records.ts';
import { scoredOutput } from '../run/scored-output.ts';

const EVIL = '"><script>alert(1)</script>';
const ESTIMATE = { value: 54.56, low: 50.12, high: 59, n: 32 };
/** One more would be enough. */
const FEW = { ...ESTIMATE, n: 19 };
const CELLS: readonly Cell[] = [
  'a, "quoted" name',
  3,
  { estimate: ESTIMATE, digits: 1 },
  { estimate: FEW, digits: 0, expected: 34 },
  { p: 0.0004 },
];

function reportOf(rows: readonly (readonly Cell[])[], parts: readonly Chart[] = []): Report {
  const heads = ['system', 'n', 'mean', 'again', 'p'];
  const table = { kind: 'table', title: 'means', heads, rows } as const;
  return {
    title: `Report ${EVIL}`,
    about: ['over 2 cases'],
    sections: [{ title: 'All', parts: [], sections: [{ title: 'Means', parts: [...parts, table] }] }],
  };
}

test('a report as text has its tables in columns, under the titles of their sections', () => {
  const [, ...lines] = printReport(reportOf([CELLS])).split('\n');
  expect(lines).toEqual([
    'over 2 cases',
    '',
    '== All ==',
    '',
    '== Means ==',
    '',
    'means',
    'system             n                mean               again        p',
    'a, "quoted" name   3   54.6 [50.1, 59.0]   55* [50, 59] n=19   <0.001',
    '* of fewer than 20 units: it says little, and its interval is too narrow',
  ]);
  // Without such a figure there is no note.
  expect(printReport(reportOf([['a', 3, CELLS[2], { estimate: { ...FEW, n: 20 }, digits: 1 }, '']]))).not.toContain(
    '*',
  );
});

test('figures without an interval or a value, and no minus before zero', () => {
  const none = { value: null, low: null, high: null, n: 0 };
  expect(cellText({ estimate: { ...none, value: 54.64 }, digits: 1, expected: 3 })).toBe('54.6* n=0');
  expect([cellText({ estimate: none, digits: 1, expected: 3 }), cellText({ p: null })]).toEqual(['–', '–']);
  expect([number(-0.04, 1), number(-0.06, 1), number(0, 2)]).toEqual(['0.0', '-0.1', '0.00']);
});

test('as CSV it has a line per cell, unrounded, with the names of its row', () => {
  expect(reportCsv(reportOf([CELLS])).split('\r\n')).toEqual([
    'section,table,row,column,value,low,high,n,note',
    '"All, Means",means,"a, ""quoted"" name",n,3,,,,',
    '"All, Means",means,"a, ""quoted"" name",mean,54.56,50.12,59,32,',
    '"All, Means",means,"a, ""quoted"" name",again,54.56,50.12,59,19,fewer than 20',
    '"All, Means",means,"a, ""quoted"" name",p,0.0004,,,,',
    '',
  ]);
});

test.each([
  ['=HYPERLINK("http://evil.example")', '"\'=HYPERLINK(""http://evil.example"")"'],
  ["+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1+1', "'＝1+1"],
  ['a;=1+1', '"a;=1+1"'],
  ['-2.31', '-2.31'],
  ['+1', '+1'],
])('in CSV a spreadsheet shows %j and does not run it', (cell, field) => {
  expect(reportCsv(reportOf([['a', cell, '', '', '']]))).toContain(`,${field},,,`);
});

test('a report holds nothing that acts and cannot be seen, as text, as a page and as CSV', async () => {
  const unseen = 'a\u202e\u009b31m\u001b[31mb';
  const report = reportOf([[unseen, unseen, '', '', '']]);
  const written = [printReport(report), await reportPage(report), reportCsv(report).replaceAll('\r\n', '\n')];
  written.push(textTable([unseen], [[unseen]]));
  for (const text of written) expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
});

test('fields of CSV are read back as they were, but for what a spreadsheet would run and what cannot be seen', () => {
  /** RFC 4180. */
  const fieldsOf = (line: string) =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
      .map(([, field]) => (field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field))
      .slice(0, 8);
  const name = fc.string({ minLength: 1 }).filter((text) => !/[\r\n]/.test(text));
  fc.assert(
    fc.property(name, (text) => {
      const [, first] = reportCsv(reportOf([[text, 3, '', '', '']])).split('\r\n');
      const seen = text.replace(/\p{Cc}+/gu, ' ').replace(/\p{Bidi_Control}/gu, '');
      const shown = /^[=+\-@]/.test(seen) && Number.isNaN(Number(seen)) ? `'${seen}` : seen;
      expect(fieldsOf(first).slice(2, 5)).toEqual([shown, 'n', '3']);
    }),
    { numRuns: 50 },
  );
});

const CHARTS = ['lines', EVIL].map((title): Chart => {
  return { kind: 'lines', title, x: 'place', places: ['first', 'last'], lines: [{ name: EVIL, values: [1, null] }] };
});

/** Loads and runs nothing, and says nothing that is no value. */
function expectSafe(page: string): void {
  expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(page).not.toMatch(/<script|<link|<img|<iframe|<use|\son\w+=|url\((?!#)|@import|https?:/i);
  expect(page).not.toMatch(/NaN|Infinity|undefined|\[object/);
  for (const tag of ['table', 'tr', 'td', 'th', 'section', 'div', 'svg', 'g', 'text', 'span']) {
    expect(page.split(`</${tag}>`).length, tag).toBe(page.split(new RegExp(`<${tag}[ >]`)).length);
  }
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
}

test('as a page it loads and runs nothing, and escapes all text in tables and charts', async () => {
  const page = await reportPage(reportOf([CELLS, [EVIL, 1, '–', '–', { p: null }]], CHARTS));
  expectSafe(page);
  expect(page.split('<svg ')).toHaveLength(3);
  expect(page).toContain('54.6<span class="range">50.1 to 59.0</span>');
  expect(page).toContain('55*<span class="range">50 to 59</span><span class="range">n = 19</span>');
  expect(page).toContain('<caption>means; * of fewer than 20 units');
});

const systemOf = (name: string, more: Partial<System> = {}): System => ({
  ...{ name, options: { selection: { strategy: 'dpp-map' } }, needsModel: false },
  ...more,
});
const ORDERS = ['top', 'bottom', 'random'] as const;
const SYSTEMS: readonly System[] = [
  systemOf('base', { retrieval: { by: 'bm25' }, cell: { summariser: 'base', retriever: 'bm25' } }),
  ...ORDERS.map((order) => systemOf(`${EVIL} ${order}`, { family: { family: EVIL, order } })),
  { name: 'from a file', outputs: new Map() },
  systemOf('needs a model', { needsModel: true }),
];

/** A set on which every system but the last ran, each a point better than the one before; one output failed. */
function setRun(): SetRun {
  const cases = ['a', 'b', 'c'].map((id) => ({ id, collection: 'one', domain: id === 'a' ? EVIL : undefined }));
  const collections = [{ id: 'one', documents: [{ id: 'd', text: 'words' }] }];
  const set: RunSet = { name: `set ${EVIL}`, collections, cases, made: [] };
  const made = SYSTEMS.slice(0, -1).flatMap(({ name: arm }, place) =>
    cases.slice(arm === 'from a file' ? 1 : 0).map(({ id: datum }, at): OutputRun['made'][number] => ({
      item: { arm, datum },
      known: false,
      result: scoredOutput(
        {
          'summhay.joint': 30 + place + ((at * (place + 2)) % 5),
          'summhay.coverage': 40,
          'digest.words': place + at === 0 ? null : 100 + place,
          'digest.tokens': 10 * at,
        },
        { byPosition: [100, null, 50], unreadable: 1, warnings: [`${at} documents did not fit`] },
      ),
    })),
  );
  const failed = [{ item: { arm: 'from a file', datum: 'a' }, failure: new Error(EVIL) }];
  const run = { made, failed, isStopped: false, spent: made[0].result.usage };
  const reported = { systems: SYSTEMS, baseline: 'base', metrics: null, skipped: ['needs a model'] };
  return { set, outputs: [], run, report: setReport(set, reported, run), records: {} };
}

test('a run says everything that came of it, as text and as a page', async () => {
  const report = runReport('A run', JUDGE, [setRun()]);
  const text = printReport(report);
  for (const line of [
    /^left out, as they need a language model: needs a model$/m,
    /: 5 systems, the baseline is "base"; 3 cases; 1 collection; 1 document; 0 questions$/m,
    /^joint \(kappa 0\.57 of 1083\), by summariser and retriever/m,
    /^kappa: the judge's agreement with so many of people's labels/m,
    /^system +n +failed +joint \(kappa 0\.57 of 1083\) +coverage \(kappa 0\.57 of 1083\) +words +tokens$/m,
    /^from a file +2 +1 +34\.5\* \[/m,
    /^base +3 .* 100\* \[100, 100\] n=2 /m,
    /^joint \(kappa 0\.57 of 1083\), less "base"$/m,
    /^source coverage by the place of the document in the input/m,
    /^position sensitivity: .*\nsystem +largest change\n.* \d\.\d\* \[/m,
    /^by domain\ndomain +system +n +joint \(kappa 0\.57 of 1083\)$/m,
    /^base +3 +0 documents did not fit$/m,
    /^\(all\) +14 +unreadable verdicts/m,
  ]) {
    expect(text).toMatch(line);
  }
  expectSafe(await reportPage(report));
  // A language model's agreement is not known.
  const byModel = printReport(runReport('A run', { ...JUDGE, name: 'llm' }, [setRun()]));
  expect(byModel).toMatch(/^system +n +failed +joint +coverage +words +tokens$/m);
  expect(byModel).not.toContain('kappa');
});
