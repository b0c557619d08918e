import { type JudgeRecord, number } from '../../evaluation/index.ts';
import { addUsage, type CallUsage, NO_USAGE } from '../../models/index.ts';
import { VERSION } from '../../server/index.ts';
import type { Making } from '../benchmark-set.ts';
import { printJudge } from '../bulk/judge-identity.ts';
import { type Content, codeBlock, type Html, html } from '../html/html.ts';
import { printUsage } from '../print-usage.ts';
import type { Retrieval } from '../retrieval/retrieval.ts';
import type { SystemRecord } from '../run/plan-identity.ts';
import type { SetReport, SetRun } from '../run/run-report.ts';
import { isFileSystem, type System } from '../run/system.ts';
import { comparisonSections, failedSections } from './comparison-sections.ts';
import { clippedInside } from './drawing.ts';
import {
  contentsOf,
  counted,
  estimateCell,
  heading,
  type Naming,
  numberedHead,
  type Placement,
  reportPage,
  type Section,
  sectionView,
  small,
  table,
} from './page.ts';
import { type DotRow, dotAxis, dotPlot, linePlot } from './plots.ts';
import { mainOf } from './print.ts';
import { judgePrompts, provenanceCell } from './provenance.ts';
import { matrixSections } from './system-matrix.ts';

const COLUMNS = [
  { key: 'digest.tokens', title: 'tokens', digits: 0 },
  { key: 'digest.cost', title: 'cost', digits: 4 },
] as const;

/** What language models took, whenever the outputs were made; no section where nothing is known of it. */
function spentSections({ run: { made }, report }: SetRun, { numberOf }: Placement): Section[] {
  const valuesOf = (name: string, key: string) =>
    made.flatMap(({ item, result: { figures } }) => (item.arm === name ? [figures[key] ?? null] : []));
  const shown = COLUMNS.filter(({ key }) => made.some(({ result: { figures } }) => (figures[key] ?? 0) > 0));
  // Systems that come to the same share their outputs.
  const usage = [...new Set(made.map(({ result }) => result))]
    .map((result) => result.usage)
    .reduce<CallUsage>(addUsage, NO_USAGE);
  const all = printUsage(usage);
  if (shown.length === 0 && all === '') return [];
  const rows = report.comparison.arms.map(
    ({ name, digests }, place) => html`${numberedHead(numberOf(name, place), name)}
<td>${digests}</td>${shown.map(({ key, digits }) => {
      const known = valuesOf(name, key).filter((value) => value !== null);
      const sum = known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
      const few = known.length < digests && small(`n = ${known.length}`);
      return html`<td>${number(sum === null ? null : sum / known.length, digits)}${few}</td><td>${number(sum, digits)}</td>`;
    })}`,
  );
  const heads = ['System', 'outputs', ...shown.flatMap(({ title }) => [`${title} per output`, `${title} in all`])];
  const body = html`${
    shown.length > 0 &&
    html`<p>Of choosing and writing, or as a file tells it; documents are read once for all systems, and what that took is not
counted here.</p>
${table('What the outputs took', heads, rows, 'figures')}`
  }${all !== '' && html`<p>Reading, writing and judging of all outputs together, those of earlier runs with them: ${all}.</p>`}`;
  return [{ id: 'spent', title: 'Tokens and cost', body }];
}

/** Digits of a hash that tell prompts apart. */
const SHORT = 8;

/** How a set was made, step by step; no section where nothing is known of it. */
function makingSections(made: readonly Making[]): Section[] {
  if (made.length === 0) return [];
  const rows = made.map(
    ({
      step,
      version,
      seed,
      model,
      prompts,
      options,
      counts,
    }) => html`<th scope="row">${step}<span class="why">version ${version}</span></th>
<td>${modelOf(model)}</td><td>${seed}</td><td>${terms(Object.entries(prompts).map(([id, hash]) => [id, html`<code title="${hash}">${hash.slice(0, SHORT)}</code>`]))}</td>
<td>${terms(Object.entries(options).map(([name, value]) => [name, String(value)]))}</td>
<td>${terms(Object.entries(counts).map(([name, count]) => [name, count]))}</td>`,
  );
  const heads = ['Step', 'Model', 'Seed', 'Prompts', 'Options', 'Counts'];
  const steps = table('Steps in order; prompts by the beginning of their SHA-256', heads, rows, 'makings');
  return [{ id: 'made', title: 'How it was made', body: html`${steps}${attemptsView(made)}` }];
}

/** Chapters that did not tell what they should, attempt by attempt. */
function attemptsView(made: readonly Making[]): Content {
  const attempts = made.flatMap(({ failedAttempts = [] }) => failedAttempts);
  if (attempts.length === 0) return false;
  const rows = attempts.map(
    ({ document, chapter, attempt, why, missing, extraneous }) =>
      html`<th scope="row">${document}</th><td>${chapter}</td><td>${attempt}</td><td class="wide">${
        why === 'unwritten'
          ? 'nothing that could be read'
          : terms([
              ...missing.map((text) => ['not told', text] as const),
              ...extraneous.map((text) => ['told beside', text] as const),
            ])
      }</td>`,
  );
  const heads = ['Document', 'Chapter', 'Attempt', 'Why it failed'];
  return html`<details><summary>${counted(attempts.length, 'failed attempt')} at chapters</summary>${table('Attempts at chapters that failed', heads, rows)}</details>`;
}

function modelOf(model: Making['model']): Content {
  if (model === null) return 'none';
  const { model: name, ...settings } = model;
  const given = Object.entries(settings).filter(([, value]) => value !== null);
  return html`${name}${given.length > 0 && terms(given)}`;
}

function terms(pairs: readonly (readonly [string, Content])[]): Html {
  if (pairs.length === 0) return html`–`;
  return html`<dl>${pairs.map(([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>`)}</dl>`;
}

/** As reports call cases without a value. */
const NOT_GIVEN = '(not given)';
const TITLES = { domain: 'By domain', questionKind: 'By kind of question' } as const;

/** The main metric over cases that share a domain or a kind of question; no section where none differ. */
function breakdownSections(
  { set, report: { breakdowns, comparison } }: Pick<SetRun, 'set' | 'report'>,
  { level, prefix, numberOf }: Placement,
): Section[] {
  const main = mainOf(comparison);
  if (breakdowns.length === 0 || main === undefined) return [];
  const tables = breakdowns.map(({ by, rows }) => {
    const systems = comparison.arms.map(
      ({ name }, place) =>
        html`${numberedHead(numberOf(name, place), name)}${rows.map(
          ({ means }) => html`<td>${number(means[name] ?? null, main.digits)}</td>`,
        )}`,
    );
    const countOf = (value: string) => set.cases.filter((each) => (each[by] || NOT_GIVEN) === value).length;
    const heads = ['System', ...rows.map(({ value }) => html`${value}${small(counted(countOf(value), 'case'))}`)];
    return html`${heading(level + 1, TITLES[by], `${prefix}by-${by}`)}
${table(`Means of ${main.title}`, heads, systems, 'figures')}`;
  });
  return [{ id: 'breakdowns', link: 'Domains and kinds', title: `${main.title} by kinds of cases`, body: tables }];
}

const WORDS: Naming = { one: 'system', some: 'a system', many: 'systems', datum: 'case', data: 'cases' };

/**
 * A run as one HTML page with plots: the main scores of all sets, then each set on its own. It loads nothing and runs
 * nothing; every name is escaped.
 *
 * @param systems everything that was to run, in the order of the configuration
 */
export function runPage(name: string, judge: JudgeRecord, runs: readonly SetRun[], systems: readonly System[]): string {
  const names = systemsOf(runs);
  const numbers = new Map(names.map((system, place) => [system, place + 1]));
  const cases = runs.reduce((sum, { set }) => sum + set.cases.length, 0);
  const skipped = [...new Set(runs.flatMap(({ report }) => report.comparison.skipped))];
  const placementOf = (id: string): Placement => ({
    level: 3,
    prefix: `${id}-`,
    words: WORDS,
    numberOf: (system, place) => numbers.get(system) ?? place + 1,
    shorten: clippedInside,
  });
  const records = new Map(runs.flatMap((run) => Object.entries(run.records)));
  const about = html`${counted(names.length, 'system')} over ${counted(runs.length, 'set')} with ${counted(cases, 'case')}; scores by ${printJudge(judge)}, but for those by labels${judgePrompts(judge)}.
${skipped.length > 0 && html`Left out, as they need a language model: ${skipped.join('; ')}.`}`;
  const sections: Section[] = [
    { id: 'overview', title: 'Overview', body: overview(runs) },
    ...runs.map((run, place): Section => {
      const id = `set-${place + 1}`;
      return { id, title: run.set.name, style: 'set', body: setView(run, placementOf(id)) };
    }),
    { id: 'systems', title: 'Systems', body: systemsView(systems, numbers, records) },
  ];
  return reportPage({ title: name, about, sections });
}

/** What each system is: its options, and which documents it is given. */
function systemsView(
  systems: readonly System[],
  numbers: ReadonlyMap<string, number>,
  records: ReadonlyMap<string, SystemRecord>,
): Html {
  const rows = systems.map((system) => {
    const number = numbers.get(system.name);
    return html`<th scope="row">${number !== undefined && html`<span class="muted">${number}</span> `}${system.name}${
      number === undefined && html`<span class="why">did not run</span>`
    }</th>${ofSystem(system)}<td class="wide">${provenanceCell(records.get(system.name))}</td>`;
  });
  const heads = ['System', 'Options', 'Documents given', 'Made by'];
  return table(`Options as they were given, and what made the outputs with Tessera ${VERSION}`, heads, rows, 'systems');
}

function ofSystem(system: System): Content {
  if (isFileSystem(system)) return html`<td class="wide">outputs from a file</td><td>as the file tells, or all</td>`;
  const { options, retrieval, sizedBy } = system;
  const size = sizedBy !== undefined && html`<p>As many key points as “${sizedBy}” selected of the same case.</p>`;
  return html`<td class="wide">${codeBlock(JSON.stringify(options))}${size}</td><td>${given(retrieval)}</td>`;
}

function given(retrieval: Retrieval | undefined): Content {
  return retrieval === undefined ? 'all, in the order of the collection' : codeBlock(JSON.stringify(retrieval));
}

/** Everything that came of one set. */
function setView(setRun: SetRun, placement: Placement): Html {
  const { set, run, report } = setRun;
  const { comparison, unreadable } = report;
  const sections = [
    ...makingSections(set.made),
    ...matrixSections(report),
    ...comparisonSections(comparison, placement),
    ...positionSections(report, placement),
    ...breakdownSections(setRun, placement),
    ...spentSections(setRun, placement),
    ...warningSections(report),
    ...failedSections(run.failed, placement),
  ];
  const documents = set.collections.reduce((sum, each) => sum + each.documents.length, 0);
  return html`<p class="muted">${counted(comparison.arms.length, 'system')} over ${counted(set.cases.length, 'case')} of ${counted(set.collections.length, 'collection')} with ${counted(documents, 'document')}; the baseline is “${comparison.baseline}”.</p>
${unreadable > 0 && html`<p>${counted(unreadable, 'verdict')} of the language model could not be read, and credit nothing.</p>`}
${contentsOf(sections, `Contents of ${set.name}`, placement)}
${sections.map((section) => sectionView(section, placement))}`;
}

/** What went otherwise than asked; no section where nothing did. */
function warningSections({ warnings }: SetReport): Section[] {
  if (warnings.length === 0) return [];
  const rows = warnings.map(
    ({ system, outputs, warning }) =>
      html`<th scope="row">${system}</th><td>${outputs}</td><td class="wide">${warning}</td>`,
  );
  const body = table(
    'The first warning of each kind, with the outputs that have it',
    ['System', 'Outputs', 'Warning'],
    rows,
  );
  return [{ id: 'warnings', title: 'Warnings', body }];
}

/** The main metric of each set, system by system: a plot for each set, and one table. */
function overview(runs: readonly SetRun[]): Html {
  const systems = systemsOf(runs);
  const figures = runs.map(({ report: { set, comparison } }) => {
    const main = mainOf(comparison);
    const rows = systems.flatMap((name, place): DotRow[] => {
      const arm = comparison.arms.find((each) => each.name === name);
      if (main === undefined || arm === undefined) return [];
      const estimate = arm.figures[main.key];
      return [{ number: place + 1, name, estimate, isBaseline: name === comparison.baseline }];
    });
    return { set, main, rows };
  });
  const plots = figures.map(({ set, main, rows }) => {
    if (main === undefined) return html`<figure><figcaption><b>${set}</b>: nothing to compare</figcaption></figure>`;
    // Sets of one metric share an axis.
    const alike = figures.filter((each) => each.main?.key === main.key).flatMap((each) => each.rows);
    const axis = dotAxis(alike.map(({ estimate }) => estimate));
    return html`<figure><figcaption><b>${set}</b>: ${main.title}</figcaption>
${dotPlot(`${set}: ${main.title} of each system`, rows, axis, main.digits)}</figure>`;
  });
  const cells = systems.map(
    (name, place) =>
      html`${numberedHead(place + 1, name)}${figures.map(({ main, rows }) => {
        const row = rows.find((each) => each.name === name);
        if (main === undefined || row === undefined) return html`<td>–</td>`;
        const badge = row.isBaseline && html` <span class="badge">baseline</span>`;
        return estimateCell(row.estimate, null, main.digits, badge);
      })}`,
  );
  const heads = figures.map(({ set, main }) => html`${set}${small(main?.title)}`);
  return html`<p>The first score of each set. Lines are 95% bootstrap intervals over the cases. The baseline is in bold, and the broken line
is its mean. The numbers of systems are the same on the whole page.</p>
<div class="plots">${plots}</div>
${table('Means over the cases, with 95% bootstrap intervals', ['System', ...heads], cells, 'figures overview')}`;
}

/** Whether what stands in the middle of the input is lost, and what the order of documents changes; where that is known. */
function positionSections(
  { curves, sensitivities, comparison: { arms } }: SetReport,
  { numberOf }: Placement,
): Section[] {
  const sections: Section[] = [];
  if (curves.length > 0) {
    const heads = curves[0].bins.map(({ from, to }) => `${Math.round(100 * from)} to ${Math.round(100 * to)}%`);
    // A system without answers has no line, but a row.
    const rows = arms.map(({ name }, place) => {
      const bins = curves.find(({ system }) => system === name)?.bins;
      return html`${numberedHead(numberOf(name, place), name)}${heads.map((_, bin) =>
        bins === undefined ? html`<td>–</td>` : estimateCell(bins[bin].coverage, null),
      )}`;
    });
    const courses = curves.map(({ system, bins }, place) => ({ number: numberOf(system, place), system, bins }));
    sections.push({
      id: 'places',
      link: 'Source coverage by place',
      title: 'Source coverage by place in the input',
      body: html`<p>Share of the questions about a document that the summary answers, in percent, in each tenth of the order in which the
system was given its documents.</p>
${linePlot('Source coverage by the place of the document in the input, a line for each system', courses)}
<details><summary>Figures</summary>${table('Source coverage by place, with 95% bootstrap intervals; n counts documents', ['System', ...heads], rows, 'figures')}</details>`,
    });
  }
  if (sensitivities.length > 0) {
    const rows = sensitivities.map(
      ({ system, sensitivity }) => html`<th scope="row">${system}</th>${estimateCell(sensitivity, null)}`,
    );
    sections.push({
      id: 'orders',
      title: 'Position sensitivity',
      body: html`<p>The largest change of the mean joint score (of coverage, where citations are not scored) between documents that matter
first, last and anywhere. The nearer to 0, the less their order decides.</p>
${table('Position sensitivity, with 95% bootstrap intervals; n counts outputs', ['System', 'Largest change'], rows, 'figures')}`,
    });
  }
  return sections;
}

/** Names of all systems that ran over any of the sets, as tables list them. */
function systemsOf(runs: readonly Pick<SetRun, 'report'>[]): string[] {
  return [...new Set(runs.flatMap(({ report }) => report.comparison.arms.map(({ name }) => name)))];
}
