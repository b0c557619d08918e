import { fixed, number } from '../../evaluation/index.ts';
import type { ComparisonReport, ComparisonRun } from '../comparison/comparison-report.ts';
import type { ComparisonMetric } from '../comparison/metrics.ts';
import { SHAPES } from '../comparison/shapes.ts';
import { describeFailure } from '../describe-failure.ts';
import { type Html, html } from '../html/html.ts';
import { capital, estimateCell, heading, numberedHead, type Placement, type Section, small, table } from './page.ts';
import { forestPlot, highestShare, histogram, scatter } from './plots.ts';
import { meansTitle, printP, quartiles, SHAPE_DIGITS, SHAPE_TITLES } from './print.ts';

/** What a comparison shows, part by part: means, differences where there is more than the baseline, and lengths. */
export function comparisonSections(report: ComparisonReport, placement: Placement): Section[] {
  const { metrics, main, arms } = report;
  const { words } = placement;
  const shown = metrics.find(({ key }) => key === main);
  const means: Section = {
    id: 'means',
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
    title: 'Documents and lengths',
    body: html`<p>Whether ${words.some} is better or merely longer: documents and words are of digests, words of sentence of all their sentences.</p>
${lengthsView(report, placement)}`,
  };
  return [means, ...(arms.some((arm) => arm.differences !== null) ? [differences] : []), lengths];
}

/** What could not be made, and why; no section where there is nothing. */
export function failedSections(failed: ComparisonRun['failed'], { words }: Placement): Section[] {
  if (failed.length === 0) return [];
  const body = table(
    'Digests that could not be made',
    [capital(words.datum), capital(words.one), 'Problem'],
    failed.map(
      ({ item: { datum, arm }, failure }) =>
        html`<th scope="row">${datum}</th><td>${arm}</td><td class="wide">${describeFailure(failure)}</td>`,
    ),
  );
  return [{ id: 'failed', title: 'Failed', body }];
}

/** The means of all metrics, arm by arm. */
function meansView({ arms, metrics, baseline }: ComparisonReport, { words, numberOf }: Placement): Html {
  const rows = arms.map(({ name, digests, failed, partial, figures }, place) => {
    const notes = [failed > 0 && `${failed} failed`, partial > 0 && `${partial} partial`];
    const more = html`${name === baseline && html` <span class="badge">baseline</span>`}
${notes.map((note) => note !== false && html`<span class="why">${note}</span>`)}`;
    const cells = metrics.map(({ key, digits }) => estimateCell(figures[key], digests, digits));
    return html`${numberedHead(numberOf(name, place), name, more)}
<td>${digests}</td>${cells}`;
  });
  const heads = [capital(words.one), 'n', ...metrics.map(({ title }) => title)];
  return table(capital(meansTitle(metrics, ` over the ${words.data}`)), heads, rows, 'figures');
}

/** How documents, words and sentence lengths are spread, arm by arm. */
function lengthsView({ arms, baseline, scales }: ComparisonReport, { words, numberOf }: Placement): Html {
  const base = arms.find(({ name }) => name === baseline) ?? arms[0];
  const most = SHAPES.map((shape) => Math.max(...arms.map(({ distributions }) => highestShare(distributions[shape]))));
  return table(
    'Share of values in each bin; the outline is the baseline, the upright line the median. Below: quartiles.',
    [capital(words.one), ...SHAPES.map((shape) => SHAPE_TITLES[shape])],
    arms.map(({ name, distributions }, place) => {
      const cells = SHAPES.map((shape, column) => {
        const look = { scale: scales[shape], most: most[column], digits: SHAPE_DIGITS[shape] };
        const own = distributions[shape];
        const label = `${name}: ${SHAPE_TITLES[shape]}`;
        return html`<td>${histogram(label, own, base.distributions[shape], look)}${small(quartiles(own, shape))}</td>`;
      });
      return html`${numberedHead(numberOf(name, place), name)}${cells}`;
    }),
    'lengths',
  );
}

/** A metric against the baseline: the plot, and behind it the figures of the tests. */
function differencesView({ arms, baseline }: ComparisonReport, metric: ComparisonMetric, placement: Placement): Html {
  const { key, title, digits } = metric;
  const { level, prefix, words } = placement;
  const others = arms.filter(({ differences }) => differences !== null);
  const base = arms.find(({ name }) => name === baseline)?.figures[key].value ?? null;
  const rows = others.flatMap(({ name, differences }) => {
    const difference = differences?.[key];
    if (difference === undefined) return [];
    const { value, low, high, n, statistic, degreesOfFreedom, p, adjustedP } = difference;
    const range = low === null || high === null ? '–' : `${fixed(low, digits)} to ${fixed(high, digits)}`;
    return html`<th scope="row">${name}</th><td>${n}</td><td>${number(value, digits)}</td><td>${range}</td>
<td>${number(statistic, 2)}</td><td>${degreesOfFreedom ?? '–'}</td><td>${printP(p)}</td><td>${printP(adjustedP)}</td>`;
  });
  const heads = [capital(words.one), 'pairs', 'difference', '95% interval', 't', 'df', 'p', 'p, Holm'];
  return html`${heading(level + 1, title, `${prefix}${key}`)}
<p class="muted">Less the baseline’s mean of ${number(base, digits)}.</p>
${forestPlot(metric, others, placement)}
<details><summary>Figures</summary>${table(`Paired differences in ${title}`, heads, rows, 'figures')}</details>
`;
}
