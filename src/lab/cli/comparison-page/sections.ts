import type { ComparisonReport } from '../../comparison/comparison-report.ts';
import type { FailedComparison } from '../../comparison/run-comparison.ts';
import { html } from '../../../server/docs/html.ts';
import { describeFailure } from '../describe-failure.ts';
import { table } from '../evaluation-page/view.ts';
import { differencesView } from './differences-view.ts';
import { lengthsView } from './lengths-view.ts';
import { meansView } from './means-view.ts';
import { capital, type Placement, type Section } from './placement.ts';
import { scatter } from './scatter.ts';

/** What a comparison shows, part by part: means, differences where there is more than the baseline, and lengths. */
export function comparisonSections(report: ComparisonReport, placement: Placement): Section[] {
  const { metrics, main, arms } = report;
  const { words } = placement;
  const shown = metrics.find(({ key }) => key === main);
  const means: Section = {
    id: 'means',
    link: 'Means',
    title: 'Means',
    body: html`${
      shown !== undefined &&
      html`<p>Words of the summary against ${shown.title}: ${words.some} that is better, and not only longer, lies above others of its
length. Numbers are those of the table; the dark dot is the baseline.</p>
${scatter(report, shown, placement)}`
    }
${meansView(report, placement)}`,
  };
  const differences: Section = {
    id: 'differences',
    link: 'Differences',
    title: 'Differences from the baseline',
    body: html`<p>Paired over the ${words.data}: mean and 95% bootstrap interval. A filled dot has p &lt; 0.05 by the paired t-test after all ${words.many}
are counted (Holm).</p>
${metrics.map((metric) => differencesView(report, metric, placement))}`,
  };
  const lengths: Section = {
    id: 'lengths',
    link: 'Documents and lengths',
    title: 'Documents and lengths',
    body: html`<p>Whether ${words.some} is better or merely longer: documents and words are of digests, words of sentence of all their sentences.</p>
${lengthsView(report, placement)}`,
  };
  return [means, ...(arms.some((arm) => arm.differences !== null) ? [differences] : []), lengths];
}

/** What could not be made, and why; no section where there is nothing. */
export function failedSections(failed: readonly FailedComparison[], { words }: Placement): Section[] {
  if (failed.length === 0) return [];
  const body = table(
    'Digests that could not be made',
    [capital(words.datum), capital(words.one), 'Problem'],
    failed.map(
      ({ datum, arm, failure }) =>
        html`<th scope="row">${datum}</th><td>${arm}</td><td class="wide">${describeFailure(failure)}</td>`,
    ),
  );
  return [{ id: 'failed', link: 'Failed', title: 'Failed', body }];
}
