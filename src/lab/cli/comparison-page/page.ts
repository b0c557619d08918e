import type { ComparisonReport } from '../../comparison/comparison-report.ts';
import type { ComparisonRun } from '../../comparison/run-comparison.ts';
import { codeBlock, html } from '../../../server/docs/html.ts';
import { htmlPage } from '../../../server/docs/html-page.ts';
import { table } from '../evaluation-page/view.ts';
import { countOf } from '../print-comparison.ts';
import { ALONE, contentsOf, type Section, sectionView } from './placement.ts';
import { comparisonSections, failedSections } from './sections.ts';
import { COMPARISON_STYLE } from './style.ts';

/** A comparison as one HTML page with plots. It loads nothing and runs nothing; every name is escaped. */
export function comparisonPage(report: ComparisonReport, { failed }: Pick<ComparisonRun, 'failed'>): string {
  const { name, baseline, skipped } = report;
  const sections = [...comparisonSections(report, ALONE), armsSection(report), ...failedSections(failed, ALONE)];
  const body = html`<header><h1>${name}</h1>
<p class="muted">${countOf(report)}; the baseline is “${baseline}”.
${skipped.length > 0 && html`Left out, as they need a language model: ${skipped.join('; ')}.`}</p></header>
${contentsOf(sections, 'Contents', ALONE)}
<main id="main">
${sections.map((section) => sectionView(section, ALONE))}</main>`;
  return htmlPage({ title: name, style: COMPARISON_STYLE, body });
}

function armsSection({ arms }: ComparisonReport): Section {
  const body = table(
    'Options as they were given',
    ['Arm', 'Options'],
    arms.map(
      (arm) => html`<th scope="row">${arm.name}</th><td class="wide">${codeBlock(JSON.stringify(arm.options))}</td>`,
    ),
  );
  return { id: 'arms', link: 'Arms', title: 'Arms', body };
}
