import { figuresOf, type JudgeRecord, metricOf, number, type Thresholds } from '../../../evaluation/index.ts';
import type { Estimate } from '../../bulk/estimate.ts';
import type { EstimatedBin } from '../../bulk/estimated-curve.ts';
import { inCanonicalOrder, type ScoredRecord } from '../../bulk/record.ts';
import type { MetricReport } from '../../bulk/report.ts';
import type { Scoring } from '../../bulk/score-records.ts';
import { type Content, type Html, html } from '../../html/html.ts';
import { htmlPage } from '../../html/html-page.ts';
import { describeFailure } from '../describe-failure.ts';
import { DIMENSION_TITLES, systemTitle } from '../print-evaluation.ts';
import { printJudge } from '../print-judge.ts';
import { STYLE } from './style.ts';
import { explanationView, table } from './view.ts';

/** A record that folds away: its figures, and behind them how they came about. */
function recordView({ record, answer }: ScoredRecord, thresholds: Thresholds | null): Html {
  const { id, system, order, domain, questionKind } = record;
  const about = [system, domain, questionKind, order].filter((part) => part !== undefined).join(' · ');
  const metric = metricOf(answer.metric);
  const figures = figuresOf(answer);
  return html`<details class="record">
<summary><b>${id}</b> <span class="muted">${about}</span>${metric.figures.map(
    ({ name, title }) => html` <span class="figure">${title} ${number(figures[name] ?? null)}</span>`,
  )}</summary>
<div>${explanationView(metric.explain(record.evaluation, answer, thresholds))}
${answer.warnings.map((warning) => html`<p class="muted">Note: ${warning}</p>`)}</div>
</details>
`;
}

/**
 * A run as one HTML page to read: the figures, and for each record what was found, where, and why something was not. It loads
 * nothing and runs nothing; every text of the records is escaped.
 */
export function evaluationPage(
  { scored, failed }: Scoring,
  reports: readonly MetricReport[],
  judge: JudgeRecord,
  thresholds: Thresholds | null,
): string {
  const sorted = inCanonicalOrder(scored);
  const body = html`<header><h1>Evaluation</h1>
<p class="muted">${scored.length} ${scored.length === 1 ? 'record' : 'records'}, judged by ${printJudge(judge)}.</p></header>
<nav aria-label="Contents"><ul>${reports.map(
    ({ metric }) => html`<li><a href="#${metric}">${metricOf(metric).title}</a></li>`,
  )}${failed.length > 0 && html`<li><a href="#failed">Not scored</a></li>`}</ul></nav>
<main id="main">
${reports.map(
  (report) => html`<section id="${report.metric}"><h2>${metricOf(report.metric).title}</h2>
${figuresView(report)}
<h3>Records</h3>
${sorted.filter(({ answer }) => answer.metric === report.metric).map((each) => recordView(each, thresholds))}
</section>
`,
)}
${
  failed.length > 0 &&
  html`<section id="failed"><h2>Not scored</h2>${table(
    'Records that failed',
    ['Id', 'System', 'Metric', 'Problem'],
    inCanonicalOrder(failed).map(
      ({ record, failure }) => html`<th scope="row">${record.id}</th><td>${record.system ?? '–'}</td>
<td>${metricOf(record.evaluation.metric).title}</td><td class="wide">${describeFailure(failure)}</td>`,
    ),
  )}</section>`
}
</main>`;
  return htmlPage({ title: 'Evaluation', style: STYLE, body });
}

/** The tables of a metric: systems, differences, breakdowns, and the curve by place. */
function figuresView({ metric, systems, differences, breakdowns }: MetricReport): Html {
  const columns = metricOf(metric).figures;
  const titles = columns.map(({ title }) => title);
  const cells = (figures: Readonly<Record<string, Estimate>>, expected: number): Content =>
    columns.map(({ name }) => cell(figures[name], expected));
  const isOrdered = systems.some(({ positionSensitivity }) => positionSensitivity !== null);
  return html`${table(
    'Means with 95% bootstrap intervals',
    ['System', 'n', ...titles, ...(isOrdered ? ['position sensitivity'] : [])],
    systems.map(({ system, records, figures, positionSensitivity }) => [
      html`<th scope="row">${systemTitle(system)}</th><td>${records}</td>`,
      cells(figures, records),
      isOrdered && (positionSensitivity === null ? html`<td>–</td>` : cell(positionSensitivity, positionSensitivity.n)),
    ]),
    'figures',
  )}
${
  differences.length > 0 &&
  table(
    `Less ${systemTitle(differences[0].against)}, over the ids that both have`,
    ['System', 'n', ...titles],
    differences.map(({ system, shared, figures }) => [
      html`<th scope="row">${systemTitle(system)}</th><td>${shared}</td>`,
      cells(figures, shared),
    ]),
    'figures',
  )
}
${breakdowns.map(({ by, rows }) =>
  table(
    `By ${DIMENSION_TITLES[by]}`,
    [DIMENSION_TITLES[by], 'System', 'n', ...titles],
    rows.map(({ value, system, records, figures }) => [
      html`<th scope="row">${value ?? '(not given)'}</th><td class="name">${systemTitle(system)}</td><td>${records}</td>`,
      cells(figures, records),
    ]),
    'figures',
    2,
  ),
)}
${systems.map(({ system, positionCurve }) => positionCurve !== null && curveView(systemTitle(system), positionCurve))}`;
}

function cell({ value, low, high, n }: Estimate, expected: number): Content {
  const range = low !== null && high !== null && html`<span class="range">${number(low)} to ${number(high)}</span>`;
  return html`<td>${number(value)}${range}${n !== expected && html`<span class="range">n = ${n}</span>`}</td>`;
}

function curveView(system: string, curve: readonly EstimatedBin[]): Html {
  const percent = (share: number) => `${Math.round(100 * share)}`;
  const rows = curve.map(
    ({ from, to, coverage }): Content => html`<th scope="row">${percent(from)} to ${percent(to)}%</th>
<td>${coverage.n}</td>${cell(coverage, coverage.n)}<td><span class="bar" style="width:${coverage.value ?? 0}%"></span></td>`,
  );
  const heads = ['Place among the documents', 'Documents', 'Coverage', ''];
  return table(`Coverage by place, ${system}`, heads, rows, 'figures curve');
}
