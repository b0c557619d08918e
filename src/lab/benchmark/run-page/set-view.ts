import { type Html, html } from '../../../server/docs/html.ts';
import { contentsOf, heading, type Placement, sectionView } from '../../cli/comparison-page/placement.ts';
import { comparisonSections, failedSections } from '../../cli/comparison-page/sections.ts';
import type { SetRun } from '../run.node.ts';
import { breakdownSections } from './breakdown-sections.ts';
import { makingSections } from './making-sections.ts';
import { positionSections } from './position-sections.ts';
import { spentSections } from './spent-sections.ts';
import { counted } from './systems-of.ts';

/** Everything that came of one set. */
export function setView(setRun: SetRun, id: string, placement: Placement): Html {
  const { set, run, report } = setRun;
  const { comparison, unreadable } = report;
  const sections = [
    ...makingSections(set.made),
    ...comparisonSections(comparison, placement),
    ...positionSections(report, placement),
    ...breakdownSections(setRun, placement),
    ...spentSections(setRun, placement),
    ...failedSections(run.failed, placement),
  ];
  const documents = set.collections.reduce((sum, each) => sum + each.documents.length, 0);
  return html`<section class="set" id="${id}">${heading(placement.level - 1, set.name)}
<p class="muted">${counted(comparison.arms.length, 'system')} over ${counted(set.cases.length, 'case')} of ${counted(set.collections.length, 'collection')} with ${counted(documents, 'document')}; the baseline is “${comparison.baseline}”.</p>
${unreadable > 0 && html`<p>${counted(unreadable, 'verdict')} of the language model could not be read, and credit nothing.</p>`}
${contentsOf(sections, `Contents of ${set.name}`, placement)}
${sections.map((section) => sectionView(section, placement))}</section>
`;
}
