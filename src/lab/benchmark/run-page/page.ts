import type { System } from '../../run/system.ts';
import type { JudgeRecord } from '../../../contract/evaluation-answer.ts';
import { html } from '../../../server/docs/html.ts';
import { htmlPage } from '../../../server/docs/html-page.ts';
import type { Naming, Placement } from '../../cli/comparison-page/placement.ts';
import { clippedInside } from '../../cli/comparison-page/svg.ts';
import { printJudge } from '../../cli/print-judge.ts';
import type { SetRun } from '../run.node.ts';
import { overview } from './overview.ts';
import { setView } from './set-view.ts';
import { RUN_STYLE } from './style.ts';
import { counted, systemsOf } from './systems-of.ts';
import { systemsView } from './systems-view.ts';

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
  const placed = runs.map((run, place) => ({ run, id: `set-${place + 1}` }));
  const placementOf = (id: string): Placement => ({
    level: 3,
    prefix: `${id}-`,
    words: WORDS,
    numberOf: (system, place) => numbers.get(system) ?? place + 1,
    shorten: clippedInside,
  });
  const body = html`<header><h1>${name}</h1>
<p class="muted">${counted(names.length, 'system')} over ${counted(runs.length, 'set')} with ${counted(cases, 'case')}; scores by ${printJudge(judge)}, but for those by labels.
${skipped.length > 0 && html`Left out, as they need a language model: ${skipped.join('; ')}.`}</p></header>
<nav aria-label="Contents"><ul><li><a href="#overview">Overview</a></li>${placed.map(
    ({ run, id }) => html`<li><a href="#${id}">${run.set.name}</a></li>`,
  )}<li><a href="#systems">Systems</a></li></ul></nav>
<main id="main">
<section id="overview"><h2>Overview</h2>
${overview(runs)}</section>
${placed.map(({ run, id }) => setView(run, id, placementOf(id)))}
<section id="systems"><h2>Systems</h2>
${systemsView(systems, numbers)}</section>
</main>`;
  return htmlPage({ title: name, style: RUN_STYLE, body });
}
