import { fixed } from '../../../evaluation/index.ts';
import type { Distribution, Scale } from '../../comparison/distribution.ts';
import { type Html, html } from '../../html/html.ts';
import { line, px, words } from './svg.ts';

const [WIDTH, HEIGHT, BASE] = [230, 64, 48];

/**
 * A small histogram on a scale that all arms share, with the baseline's outline over it; heights are shares of the values,
 * so that arms with fewer digests can be compared.
 *
 * @param most the share of the highest bar of any arm
 */
export function histogram(
  label: string,
  own: Distribution,
  base: Distribution,
  { scale, most, digits }: { readonly scale: Scale; readonly most: number; readonly digits: number },
): Html {
  const { from, to, bins, isCut } = scale;
  const step = WIDTH / bins;
  const heightOf = ({ counts, n }: Distribution, bin: number) =>
    n === 0 || most === 0 ? 0 : (BASE - 4) * (counts[bin] / n / most);
  const places = Array.from({ length: bins }, (_, bin) => bin);
  const bars = places
    .filter((bin) => own.counts[bin] > 0)
    .map((bin) => {
      const high = heightOf(own, bin);
      return html`<rect class="bin" x="${px(bin * step + 0.5)}" y="${px(BASE - high)}" width="${px(step - 1)}" height="${px(high)}"/>`;
    });
  const steps = places.map((bin) => `V${px(BASE - heightOf(base, bin))}H${px((bin + 1) * step)}`).join('');
  const { p50 } = own.quantiles;
  const middle = p50 === null ? null : Math.min(WIDTH, (WIDTH * (p50 - from)) / (to - from));
  return html`<svg class="small" viewBox="-1 0 ${WIDTH + 2} ${HEIGHT}" role="img" aria-label="${label}">${bars}
<path class="outline" d="M0 ${BASE}${steps}V${BASE}"/>
${line('ground', 0, BASE, WIDTH, BASE)}${middle !== null && line('middle', middle, 2, middle, BASE)}
${words('tick', 0, HEIGHT - 2, fixed(from, digits), 'start')}${words('tick', WIDTH, HEIGHT - 2, `${fixed(to, digits)}${isCut ? ' and more' : ''}`, 'end')}</svg>`;
}

/** The share of its values that the highest bar of a histogram holds. */
export function highestShare({ counts, n }: Distribution): number {
  return n === 0 ? 0 : Math.max(...counts) / n;
}
