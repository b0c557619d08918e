import { fixed } from '../../../evaluation/index.ts';
import type { EstimatedBin } from '../../bulk/estimated-curve.ts';
import { axisFor } from '../../cli/comparison-page/axis.ts';
import { clippedInside, drawing, line, px, words } from '../../cli/comparison-page/svg.ts';
import { type Content, type Html, html } from '../../html/html.ts';
import { spreadApart } from './spread-apart.ts';

const WIDTH = 1000;
const [LEFT, RIGHT, TOP, LEAST] = [56, 640, 16, 340];
/** Between labels, and characters that fit behind a line. */
const [GAP, LABEL] = [16, 42];
const HUES = 6;

interface Course {
  readonly number: number;
  readonly system: string;
  readonly bins: readonly EstimatedBin[];
}

/** Coverage by the place of documents in the input: a line for each system, told apart by its label, marks and hue. */
export function linePlot(label: string, courses: readonly Course[]): Html {
  const bottom = TOP + Math.max(LEAST, courses.length * GAP);
  const values = courses.flatMap(({ bins }) => bins.flatMap(({ coverage }) => coverage.value ?? []));
  const up = axisFor(values, bottom, TOP, 6);
  const shares = courses[0].bins.map(({ from, to }) => (from + to) / 2);
  const across = (share: number) => LEFT + (RIGHT - LEFT) * share;
  const shown = courses.map(({ bins, ...course }) => {
    const points = bins.flatMap(({ coverage: { value } }, bin) =>
      value === null ? [] : [{ x: across(shares[bin]), y: up.at(value) }],
    );
    return { ...course, points };
  });
  const ends = shown.flatMap(({ points }) => points.at(-1)?.y ?? (TOP + bottom) / 2);
  const labels = spreadApart(ends, GAP, TOP, bottom);
  return drawing(label, { width: WIDTH, height: bottom + 46 }, [
    up.ticks.map((tick) => [
      line('grid', LEFT, up.at(tick), RIGHT, up.at(tick)),
      words('tick', LEFT - 8, up.at(tick) + 4, fixed(tick, up.digits), 'end'),
    ]),
    [0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => [
      line('ground', across(share), bottom, across(share), bottom + 4),
      words('tick', across(share), bottom + 18, `${Math.round(100 * share)}%`, 'middle'),
    ]),
    line('ground', LEFT, bottom, RIGHT, bottom),
    words('axis', (LEFT + RIGHT) / 2, bottom + 38, 'place of the document in the input, from first to last', 'middle'),
    shown.map(({ number, system, points }, place) => {
      const path = points.map(({ x, y }, step) => `${step === 0 ? 'M' : 'L'}${px(x)} ${px(y)}`).join('');
      const end = points.at(-1);
      return html`<g class="hue-${(number - 1) % HUES}"><title>${system}</title>
<path class="course" d="${path}"/>${points.map(({ x, y }) => mark(number - 1, x, y))}
${end !== undefined && line('lead', end.x + 7, end.y, RIGHT + 22, labels[place])}
${mark(number - 1, RIGHT + 30, labels[place])}
${words('tick', RIGHT + 58, labels[place] + 4, String(number), 'end')}
${words('label', RIGHT + 64, labels[place] + 4, clippedInside(system, LABEL), 'start')}</g>
`;
    }),
  ]);
}

/** One of four shapes, with an open middle in every other round of the hues: a hue and a mark meet again after 12. */
function mark(place: number, x: number, y: number): Content {
  const style = Math.floor(place / HUES) % 2 === 0 ? 'mark' : 'mark open';
  const at = (dx: number, dy: number) => `${px(x + dx)} ${px(y + dy)}`;
  const paths = [
    `M${at(-3.5, 0)}A3.5 3.5 0 1 1 ${at(3.5, 0)}A3.5 3.5 0 1 1 ${at(-3.5, 0)}Z`,
    `M${at(-3.2, -3.2)}L${at(3.2, -3.2)}L${at(3.2, 3.2)}L${at(-3.2, 3.2)}Z`,
    `M${at(0, -4.2)}L${at(4, 3)}L${at(-4, 3)}Z`,
    `M${at(0, -4.6)}L${at(4.6, 0)}L${at(0, 4.6)}L${at(-4.6, 0)}Z`,
  ];
  return html`<path class="${style}" d="${paths[place % paths.length]}"/>`;
}
