import {
  type Cell,
  type Section as Explained,
  type Explanation,
  figuresOf,
  type JudgeRecord,
  metricOf,
  number,
  type Part,
  type Thresholds,
} from '../../evaluation/index.ts';
import type { Calibration } from '../../models/index.ts';
import type { EstimatedBin } from '../bulk/estimate.ts';
import { printJudge } from '../bulk/judge-identity.ts';
import { inCanonicalOrder, type ScoredRecord, type Scoring } from '../bulk/record.ts';
import type { MetricReport } from '../bulk/report.ts';
import { describeFailure } from '../describe-failure.ts';
import { type Content, type Html, html } from '../html/html.ts';
import { counted, estimateCell, reportPage, type Section, table } from './page.ts';
import { evaluationTables, systemTitle } from './print.ts';

/** A run as one page: the figures, and for each record what was found, where, and why something was not. */
export function evaluationPage(
  { made, failed }: Pick<Scoring, 'made' | 'failed'>,
  reports: readonly MetricReport[],
  judge: JudgeRecord,
  calibration: Calibration | null,
): string {
  const thresholds = calibration && thresholdsOf(calibration);
  const sorted = inCanonicalOrder(made);
  const sections = reports.map((report): Section => {
    const records = sorted.filter(({ result }) => result.metric === report.metric);
    const body = html`${figuresView(report)}
<h3>Records</h3>
${records.map((each) => recordView(each, thresholds))}`;
    return { id: report.metric, title: metricOf(report.metric).title, body };
  });
  return reportPage({
    title: 'Evaluation',
    about: `${counted(made.length, 'record')}, judged by ${printJudge(judge)}.`,
    sections: [...sections, ...failedSections(failed)],
  });
}

function failedSections(failed: Scoring['failed']): Section[] {
  if (failed.length === 0) return [];
  const rows = inCanonicalOrder(failed).map(
    ({ item: { id, system, evaluation }, failure }) => html`<th scope="row">${id}</th><td>${system ?? '–'}</td>
<td>${metricOf(evaluation.metric).title}</td><td class="wide">${describeFailure(failure)}</td>`,
  );
  const body = table('Records that failed', ['Id', 'System', 'Metric', 'Problem'], rows);
  return [{ id: 'failed', title: 'Not scored', body }];
}

/** The levels of an encoder, as the embedded judge takes them. */
function thresholdsOf({ coverage: { half, full } }: Calibration): Thresholds {
  return { half, full, holds: full };
}

/** A record that folds away: its figures, and behind them how they came about. */
function recordView({ item: record, result: answer }: ScoredRecord, thresholds: Thresholds | null): Html {
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

/** The tables of a metric, and the curve by place. */
function figuresView(report: MetricReport): Html {
  const tables = evaluationTables(report).map(({ caption, heads, rows }) => {
    const names = rows[0].names.length;
    const cells = rows.map(
      ({ names: [first, ...others], count, figures }): Content =>
        html`<th scope="row">${first}</th>${others.map(
          (name) => html`<td class="name">${name}</td>`,
        )}<td>${count}</td>${figures.map((figure) => (figure === null ? html`<td>–</td>` : estimateCell(figure, count)))}`,
    );
    return table(caption, heads, cells, 'figures', names);
  });
  const curves = report.systems.map(
    ({ system, positionCurve }) => positionCurve !== null && curveView(systemTitle(system), positionCurve),
  );
  return html`${tables}${curves}`;
}

function curveView(system: string, curve: readonly EstimatedBin[]): Html {
  const percent = (share: number) => `${Math.round(100 * share)}`;
  const rows = curve.map(
    ({ from, to, coverage }): Content => html`<th scope="row">${percent(from)} to ${percent(to)}%</th>
<td>${coverage.n}</td>${estimateCell(coverage, coverage.n)}<td><span class="bar" style="width:${coverage.value ?? 0}%"></span></td>`,
  );
  const heads = ['Place among the documents', 'Documents', 'Coverage', ''];
  return table(`Coverage by place, ${system}`, heads, rows, 'figures curve');
}

/** How an answer came about, as its metric explains it. */
function explanationView(explanation: Explanation): Content {
  return explanation.map(sectionView);
}

function sectionView(section: Explained): Content {
  if ('caption' in section) {
    const { caption, heads, rows, isCurve } = section;
    return table(
      caption,
      heads,
      rows.map((cells) => cells.map(cellView)),
      isCurve && 'curve',
    );
  }
  const { heading } = section;
  if ('text' in section) return html`<h4>${heading}</h4><blockquote class="text">${section.text}</blockquote>\n`;
  const { items, whenEmpty } = section;
  if (items.length === 0) return html`<h4>${heading}</h4>\n<p class="muted">${whenEmpty}</p>`;
  return html`<h4>${heading}</h4>
<ol class="items">${items.map(({ text, note }) => html`<li>${partView(text)}\n${partView({ note })}</li>`)}</ol>`;
}

function cellView({ parts, isHead, isWide }: Cell): Content {
  const shown = parts.map((part, index) => [index > 0 && ' ', partView(part)]);
  const style = isWide && html` class="wide"`;
  return isHead ? html`<th scope="row"${style}>${shown}</th>` : html`<td${style}>${shown}</td>`;
}

function partView(part: Part): Content {
  if (typeof part === 'string') return part;
  if ('badge' in part) return html`<span class="badge ${part.tone}">${part.badge}</span>`;
  if ('muted' in part) return html`<span class="muted">${part.muted}</span>`;
  if ('note' in part) return html`<span class="why">${part.note}</span>`;
  if ('bar' in part) return html`<span class="bar" style="width:${part.bar}%"></span>`;
  if ('line' in part) return html`<div>${part.line.map((each) => [partView(each), '\n'])}</div>`;
  if ('quote' in part) return part.quote === null ? partView({ muted: 'none' }) : html`<q>${part.quote}</q>`;
  return html`<dl class="markers">${part.groups.map(
    ({ name, badges, tone }) =>
      html`<div><dt>${name}</dt><dd>${badges.map((badge) => partView({ badge, tone }))}</dd></div>`,
  )}</dl>`;
}
