import { LineChart } from 'echarts/charts';
import { GridComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { LabelLayout } from 'echarts/features';
import { SVGRenderer } from 'echarts/renderers';
import type { Chart } from './report.ts';

use([LineChart, GridComponent, LabelLayout, SVGRenderer]);

const TEXT = { color: 'var(--text)' };
const MUTED = { color: 'var(--muted)' };
const GRID = { lineStyle: { color: 'var(--line)' } };
const HUES = [0, 1, 2, 3, 4, 5].map((hue) => `var(--hue-${hue})`);
const SYMBOLS = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect', 'emptyTriangle'];

const WIDTH = 1000;
const NAME = 44;

export function chartSvg(chart: Chart): string {
  const { height, option } = lines(chart);
  const canvas = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
  canvas.setOption({ animation: false, textStyle: TEXT, ...option });
  const svg = canvas.renderToSVGString();
  canvas.dispose();
  // Drop hover rules, whose class names would clash between charts, and namespaces, which inline SVG does not need.
  return svg.replace(/<style[\s\S]*?<\/style>| xmlns(?::xlink)?="[^"]*"/g, '');
}

function lines({ x, places, lines: all }: Chart) {
  return {
    height: 400 + Math.max(0, all.length - 20) * 16,
    option: {
      grid: { left: 60, right: 330, top: 20, bottom: 60 },
      xAxis: {
        ...{ type: 'category', data: places, boundaryGap: false, name: x, nameLocation: 'middle', nameGap: 34 },
        ...{ axisLabel: MUTED, nameTextStyle: MUTED },
      },
      yAxis: { type: 'value', scale: true, axisLabel: MUTED, nameTextStyle: MUTED, splitLine: GRID },
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
