import { figuresOf, type JudgeRecord, metricOf, number } from '../../evaluation/index.ts';
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
): Report {
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
        const views = records.map(recordView);
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

function recordView({ item: record, result: answer }: ScoredRecord): Html {
  const { id, system, order, domain, questionKind } = record;
  const about = [system, domain, questionKind, order].filter((part) => part !== undefined).join(' · ');
  const metric = metricOf(answer.metric);
  const figures = figuresOf(answer);
  return html`<details class="record">
<summary><b>${id}</b> <span class="muted">${about}</span>${metric.figures.map(
    ({ name, title }) => html` <span class="figure">${title} ${number(figures[name] ?? null)}</span>`,
  )}</summary>
<div><ol>${metric.said(record.evaluation).map((text) => html`<li>${text}</li>`)}</ol>
${Object.entries(answer).map(([name, verdicts]) => verdictTable(name, verdicts, Reflect.get(record.evaluation, name)))}
${answer.warnings.map((warning) => html`<p class="muted">Note: ${warning}</p>`)}</div>
</details>
`;
}

/** One row a unit: what was asked of it, then the verdict. */
function verdictTable(name: string, verdicts: unknown, asked: unknown): Content {
  if (!Array.isArray(verdicts) || typeof verdicts[0] !== 'object') return null;
  const units: readonly unknown[] = Array.isArray(asked) ? asked : [];
  const rows = verdicts.map((verdict, place) => {
    const unit = units[place];
    return new Map(Object.entries({ ...(typeof unit === 'string' ? { text: unit } : Object(unit)), ...verdict }));
  });
  const heads = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const cells = rows.map((row) => heads.map((head) => html`<td class="text">${cellText(row.get(head))}</td>`));
  return htmlTable(name, heads, cells);
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
