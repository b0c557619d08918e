import { html } from '../../../server/docs/html.ts';
import { addUsage, type CallUsage, NO_USAGE } from '../../../models/language/usage.ts';
import type { Placement, Section } from '../../cli/comparison-page/placement.ts';
import { number, table } from '../../cli/evaluation-page/view.ts';
import { printUsage } from '../../cli/print-usage.ts';
import type { SetRun } from '../run.node.ts';

const COLUMNS = [
  { key: 'digest.tokens', title: 'tokens', digits: 0 },
  { key: 'digest.cost', title: 'cost', digits: 4 },
] as const;

/** What language models took, whenever the outputs were made; no section where nothing is known of it. */
export function spentSections({ run: { made }, report }: SetRun, { numberOf }: Placement): Section[] {
  const valuesOf = (name: string, key: string) =>
    made.flatMap(({ arm, digest: { figures } }) => (arm === name ? [figures[key] ?? null] : []));
  const shown = COLUMNS.filter(({ key }) => made.some(({ digest: { figures } }) => (figures[key] ?? 0) > 0));
  // Systems that come to the same share their outputs.
  const usage = [...new Set(made.map(({ digest }) => digest))]
    .map((digest) => digest.usage)
    .reduce<CallUsage>(addUsage, NO_USAGE);
  const all = printUsage(usage);
  if (shown.length === 0 && all === '') return [];
  const rows = report.comparison.arms.map(
    ({ name, digests }, place) => html`<th scope="row"><span class="muted">${numberOf(name, place)}</span> ${name}</th>
<td>${digests}</td>${shown.map(({ key, digits }) => {
      const known = valuesOf(name, key).filter((value) => value !== null);
      const sum = known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
      const few = known.length < digests && html`<span class="range">n = ${known.length}</span>`;
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
  return [{ id: 'spent', link: 'Tokens and cost', title: 'Tokens and cost', body }];
}
