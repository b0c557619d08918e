import { html } from '../../../server/docs/html.ts';
import { heading, type Placement, type Section } from '../../cli/comparison-page/placement.ts';
import { number, table } from '../../cli/evaluation-page/view.ts';
import { mainOf } from '../print-run.ts';
import type { SetRun } from '../run.node.ts';
import { counted } from './systems-of.ts';

/** As reports call cases without a value. */
const NOT_GIVEN = '(not given)';
const TITLES = { domain: 'By domain', questionKind: 'By kind of question' } as const;

/** The main metric over cases that share a domain or a kind of question; no section where none differ. */
export function breakdownSections(
  { set, report: { breakdowns, comparison } }: Pick<SetRun, 'set' | 'report'>,
  { level, prefix, numberOf }: Placement,
): Section[] {
  const main = mainOf(comparison);
  if (breakdowns.length === 0 || main === undefined) return [];
  const tables = breakdowns.map(({ by, rows }) => {
    const systems = comparison.arms.map(
      ({ name }, place) =>
        html`<th scope="row"><span class="muted">${numberOf(name, place)}</span> ${name}</th>${rows.map(
          ({ means }) => html`<td>${number(means[name] ?? null, main.digits)}</td>`,
        )}`,
    );
    const countOf = (value: string) => set.cases.filter((each) => (each[by] || NOT_GIVEN) === value).length;
    const heads = [
      'System',
      ...rows.map(({ value }) => html`${value}<span class="range">${counted(countOf(value), 'case')}</span>`),
    ];
    return html`${heading(level + 1, TITLES[by], `${prefix}by-${by}`)}
${table(`Means of ${main.title}`, heads, systems, 'figures')}`;
  });
  return [{ id: 'breakdowns', link: 'Domains and kinds', title: `${main.title} by kinds of cases`, body: tables }];
}
