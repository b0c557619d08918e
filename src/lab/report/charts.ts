import { CustomChart, LineChart } from 'echarts/charts';
import { GridComponent, MarkLineComponent } from 'echarts/components';
import { type EChartsCoreOption, init, use } from 'echarts/core';
import { LabelLayout } from 'echarts/features';
import { SVGRenderer } from 'echarts/renderers';
import type { Chart } from './report.ts';

use([CustomChart, LineChart, GridComponent, MarkLineComponent, LabelLayout, SVGRenderer]);

const TEXT = { color: 'var(--text)' };
const MUTED = { color: 'var(--muted)' };
const GRID = { lineStyle: { color: 'var(--line)' } };
const LINK = 'var(--link)';
const HUES = [0, 1, 2, 3, 4, 5].map((hue) => `var(--hue-${hue})`);
const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect', 'emptyTriangle'];

const WIDTH = 1000;
const ROW = 24;
const NAME = 44;

export function chartSvg(chart: Chart): string {
  const { height, option } = chart.kind === 'intervals' ? intervals(chart) : lines(chart);
  const canvas = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
  canvas.setOption({ animation: false, textStyle: TEXT, ...option });
  const svg = canvas.renderToSVGString();
  canvas.dispose();
  // Drop hover rules, whose class names would clash between charts, and namespaces, which inline SVG does not need.
  return svg.replace(/<style[\s\S]*?<\/style>| xmlns(?::xlink)?="[^"]*"/g, '');
}

function valueAxis(more: EChartsCoreOption = {}) {
  return { type: 'value', scale: true, axisLabel: MUTED, nameTextStyle: MUTED, splitLine: GRID, ...more };
}

function intervals({ rows }: Extract<Chart, { kind: 'intervals' }>) {
  const bars = rows.map(({ value, low, high }, place) => [place, value ?? Number.NaN, low ?? value, high ?? value]);
  return {
    height: 60 + rows.length * ROW,
    option: {
      grid: { left: 330, right: 30, top: 10, bottom: 40 },
      xAxis: valueAxis({ min: ({ min }: { min: number }) => Math.min(min, 0) }),
      yAxis: {
        type: 'category',
        inverse: true,
        data: rows.map(({ name }) => shortened(name)),
        axisLabel: { ...TEXT, interval: 0 },
        axisTick: { show: false },
      },
      series: [
        {
          type: 'custom',
          silent: true,
          encode: { x: [1, 2, 3], y: 0 },
          data: bars,
          renderItem: (
            { dataIndex }: { dataIndex: number },
            api: { value(dimension: number): number; coord(point: readonly number[]): readonly number[] },
          ) => {
            if (rows[dataIndex].value === null) return null;
            const at = (dimension: number) => api.coord([api.value(dimension), api.value(0)]);
            const [[x, y], [low], [high]] = [at(1), at(2), at(3)];
            const fill = rows[dataIndex].isStrong ? LINK : 'var(--back)';
            return {
              type: 'group',
              children: [
                { type: 'line', shape: { x1: low, y1: y, x2: high, y2: y }, style: { stroke: LINK, lineWidth: 2 } },
                { type: 'circle', shape: { cx: x, cy: y, r: 4.5 }, style: { fill, stroke: LINK, lineWidth: 1.75 } },
              ],
            };
          },
          markLine: {
            ...{ silent: true, symbol: 'none', label: { show: false }, lineStyle: { ...MUTED, type: 'dashed' } },
            data: [{ xAxis: 0 }],
          },
        },
      ],
    },
  };
}

function lines({ x, places, lines: all }: Extract<Chart, { kind: 'lines' }>) {
  return {
    height: 400 + Math.max(0, all.length - 20) * 16,
    option: {
      grid: { left: 60, right: 330, top: 20, bottom: 60 },
      xAxis: {
        ...{ type: 'category', data: places, boundaryGap: false, name: x, nameLocation: 'middle', nameGap: 34 },
        ...{ axisLabel: MUTED, nameTextStyle: MUTED },
      },
      yAxis: valueAxis(),
      series: all.map(({ name, values }, place) => ({
        type: 'line',
        silent: true,
        name: shortened(name),
        data: values,
        connectNulls: true,
        symbol: SYMBOLS[place % SYMBOLS.length],
        symbolSize: 7,
        color: HUES[place % HUES.length],
        endLabel: { show: true, formatter: '{a}', ...TEXT },
        labelLayout: { moveOverlap: 'shiftY' },
      })),
    },
  };
}

function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= NAME) return name;
  return `${characters.slice(0, NAME / 2).join('')}…${characters.slice(1 - NAME / 2).join('')}`;
}
