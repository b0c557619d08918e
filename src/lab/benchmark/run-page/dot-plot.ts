import { fixed } from '../../../evaluation/index.ts';
import type { Estimate } from '../../bulk/estimate.ts';
import { type Axis, axisFor } from '../../cli/comparison-page/axis.ts';
import { clippedInside, dot, drawing, line, words } from '../../cli/comparison-page/svg.ts';
import { printEstimate } from '../../cli/print-estimate.ts';
import { type Html, html } from '../../html/html.ts';

const WIDTH = 620;
const [LEFT, RIGHT] = [302, 566];
const [ROW, TOP] = [21, 30];
/** Characters that fit to the left of the axis. */
const LABEL = 40;

export interface DotRow {
  readonly number: number;
  readonly name: string;
  readonly estimate: Estimate;
  readonly isBaseline: boolean;
}

/** An axis for dot plots that are to be compared with each other. */
export function dotAxis(estimates: readonly Estimate[]): Axis {
  return axisFor(estimates.flatMap(endsOf), LEFT, RIGHT, 4);
}

/** The mean of each system with its interval; a broken line runs down from the baseline's. */
export function dotPlot(label: string, rows: readonly DotRow[], axis: Axis, digits: number): Html {
  const bottom = TOP + rows.length * ROW;
  const base = rows.find(({ isBaseline }) => isBaseline)?.estimate.value ?? null;
  return drawing(label, { width: WIDTH, height: bottom + 6 }, [
    axis.ticks.map((tick) => [
      line('grid', axis.at(tick), TOP - 6, axis.at(tick), bottom),
      words('tick', axis.at(tick), TOP - 12, fixed(tick, axis.digits), 'middle'),
    ]),
    base !== null && line('held', axis.at(base), TOP - 6, axis.at(base), bottom),
    rows.map(({ number, name, estimate, isBaseline }, place) => {
      const y = TOP + (place + 0.5) * ROW;
      const { value, low, high } = estimate;
      const told = `${name}: ${printEstimate(estimate, digits)}`;
      return html`<g>${words('tick', 18, y + 4, String(number), 'end')}
${words(isBaseline ? 'label strong' : 'label', 26, y + 4, clippedInside(name, LABEL), 'start')}
${low !== null && high !== null && line(isBaseline ? 'span strong' : 'span', axis.at(low), y, axis.at(high), y)}
${value !== null && dot(isBaseline ? 'base' : 'mean', axis.at(value), y, 4.5, told)}
${words('value', WIDTH - 4, y + 4, value === null ? '–' : fixed(value, digits), 'end')}</g>
`;
    }),
  ]);
}

function endsOf({ value, low, high }: Estimate): number[] {
  return [value, low, high].filter((end) => end !== null);
}
