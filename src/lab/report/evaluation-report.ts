import {
  type Section as Explained,
  type Cell as ExplainedCell,
  figuresOf,
  type JudgeRecord,
  metricOf,
  number,
  type Part,
  type Thresholds,
} from '../../evaluation/index.ts';
import type { Calibration } from '../../models/index.ts';
import { inCanonicalOrder, type ScoredRecord, type Scoring } from '../results/evaluation-record.ts';
import { type EvaluationResult, systemName } from '../results/evaluation-results.ts';
import { printJudge } from '../results/judge-identity.ts';
import { type Content, type Html, html } from './html.ts';
import { htmlTable } from './page.ts';
import { judgePrompts } from './provenance.ts';
import { counted, type Report, type Section, type Table } from './report.ts';
import { estimateCell, failedSections, resultSections } from './result-sections.ts';

export function evaluationReport(
  { made, failed }: Pick<Scoring, 'made' | 'failed'>,
  results: readonly EvaluationResult[],
  judge: JudgeRecord,
  calibration: Calibration | null,
): Report {
  const thresholds = calibration && thresholdsOf(calibration);
  const sorted = inCanonicalOrder(made);
  const failures = inCanonicalOrder(failed).map(({ item, failure }) => {
    const arm = `${systemName(item.system)}, ${metricOf(item.evaluation.metric).title}`;
    return { item: { arm, datum: item.id }, failure };
  });
  return {
    title: 'Evaluation',
    about: [`${counted(made.length, 'record')}, judged by ${printJudge(judge)}${judgePrompts(judge)}`],
    sections: [
      ...results.map((result): Section => {
        const records = sorted.filter((each) => each.result.metric === result.metric);
        const views = records.map((each) => recordView(each, thresholds));
        const figures = [...resultSections(result), ...microSections(result)];
        return { title: result.name, parts: [], sections: [...figures, { title: 'Records', parts: views }] };
      }),
      ...failedSections(failures),
    ],
  };
}

function microSections({ micro, metrics }: EvaluationResult): Section[] {
  if (micro.length === 0) return [];
  const table: Table = {
    kind: 'table',
    title: 'averaged over all texts as one (micro), with 95% bootstrap intervals',
    heads: ['system', 'n', ...metrics.map(({ title }) => title)],
    rows: micro.map((row) => [row.name, row.digests, ...metrics.map(({ key }) => estimateCell(row, key, 1))]),
  };
  return [{ title: 'Micro averages', parts: [table] }];
}

function thresholdsOf({ coverage: { half, full } }: Calibration): Thresholds {
  return { half, full, holds: full };
}

function recordView({ item: record, result: answer }: ScoredRecord, thresholds: Thresholds | null): Html {
  const { id, system, order, domain, questionKind } = record;
  const about = [system, domain, questionKind, order].filter((part) => part !== undefined).join(' · ');
  const metric = metricOf(answer.metric);
  const figures = figuresOf(answer);
  return html`<details class="record">
<summary><b>${id}</b> <span class="muted">${about}</span>${metric.figures.map(
    ({ name, title }) => html` <span class="figure">${title} ${number(figures[name] ?? null)}</span>`,
  )}</summary>
<div>${metric.explain(record.evaluation, answer, thresholds).map(explainedView)}
${answer.warnings.map((warning) => html`<p class="muted">Note: ${warning}</p>`)}</div>
</details>
`;
}

function explainedView(section: Explained): Content {
  if ('caption' in section) {
    const rows = section.rows.map((cells) => cells.map(cellView));
    return htmlTable(section.caption, section.heads, rows);
  }
  const { heading } = section;
  if ('text' in section) return html`<h4>${heading}</h4><blockquote>${section.text}</blockquote>\n`;
  const { items, whenEmpty } = section;
  if (items.length === 0) return html`<h4>${heading}</h4>\n<p class="muted">${whenEmpty}</p>`;
  return html`<h4>${heading}</h4>
<ol>${items.map(({ text, note }) => html`<li>${partView(text)}\n${partView({ note })}</li>`)}</ol>`;
}

function cellView({ parts, isHead, isWide }: ExplainedCell): Content {
  const shown = parts.map((part, index) => [index > 0 && ' ', partView(part)]);
  const style = isWide && html` class="text"`;
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
