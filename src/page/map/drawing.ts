import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { useMedia } from '../parts/browser.ts';
import type { PlotSize } from './layout.ts';
import type { Scene } from './points.ts';

export interface Attention {
  readonly shown: number | null;
  readonly pinned: number | null;
  /** Points of the highlighted document; null without one. */
  readonly ofDocument: ReadonlySet<number> | null;
}

interface Drawing {
  readonly size: PlotSize;
  /** x and y of each point in pixels, interleaved. */
  readonly pixels: Float64Array;
  readonly scene: Scene;
  readonly attention: Attention;
}

export function useDrawing(canvas: RefObject<HTMLCanvasElement | null>, drawing: Drawing): void {
  const { size, pixels, scene, attention } = drawing;
  const isDark = useMedia('(prefers-color-scheme: dark)');
  const ratio = useRatio();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours follow the scheme
  const palette = useMemo(() => readPalette(document.body), [isDark]);
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    const frame = requestAnimationFrame(() => {
      context.canvas.width = Math.round(size.width * ratio);
      context.canvas.height = Math.round(size.height * ratio);
      context.scale(ratio, ratio);
      drawPoints(context, { size, pixels, scene, attention }, palette);
      drawAttention(context, { size, pixels, scene, attention }, palette);
    });
    return () => cancelAnimationFrame(frame);
  }, [canvas, size, pixels, scene, attention, palette, ratio]);
}

/** Device pixels per pixel of CSS, which changes with zoom and screen. */
function useRatio(): number {
  const [ratio, setRatio] = useState(devicePixelRatio);
  useEffect(() => {
    const list = matchMedia(`(resolution: ${ratio}dppx)`);
    const follow = () => setRatio(devicePixelRatio);
    list.addEventListener('change', follow);
    return () => list.removeEventListener('change', follow);
  }, [ratio]);
  return ratio;
}

const COLOURS = ['selected', 'unselected', 'text', 'back', 'link'] as const;
type Palette = Readonly<Record<(typeof COLOURS)[number], string>>;

/** Resolves the page's colours, custom properties that depend on the scheme. */
function readPalette(within: Element): Palette {
  const probe = document.createElement('span');
  probe.hidden = true;
  within.append(probe);
  const read = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const [selected, unselected, text, back, link] = COLOURS.map(read);
  probe.remove();
  return { selected, unselected, text, back, link };
}

const FULL_TURN = 2 * Math.PI;
/** Number of points above which marks are small. */
const DENSE = 4000;
/** Opacity of points of other documents while one is highlighted, and of the least relevant points. */
const OPACITY = { dimmed: 0.16, circle: 0.22, triangle: 0.6 };

/** @param context with pixels of CSS as units */
function drawPoints(context: CanvasRenderingContext2D, drawing: Drawing, palette: Palette): void {
  const { pixels, scene, attention } = drawing;
  const { order, shades, isGated, picks, labels, gone, joins } = scene;
  const { ofDocument } = attention;
  const points = pixels.length / 2;
  const radius = points >= DENSE ? 2.4 : points === 1 ? 6 : 4;
  const opacity = (i: number, full: number): number =>
    ofDocument === null || ofDocument.has(i) ? full : full * OPACITY.dimmed;
  const shade = (i: number, weakest: number): number => opacity(i, weakest + shades[i] * (0.95 - weakest));

  context.fillStyle = context.strokeStyle = palette.unselected;
  context.lineWidth = 1;
  for (const i of order) {
    circle(context, pixels, i, isGated[i] ? radius - 0.5 : radius);
    context.globalAlpha = isGated[i] ? opacity(i, points === 1 ? 1 : 0.4) : shade(i, OPACITY.circle);
    if (isGated[i]) context.stroke();
    else context.fill();
  }

  context.globalAlpha = ofDocument === null ? 0.28 : OPACITY.dimmed;
  context.strokeStyle = palette.selected;
  for (const [from, to] of joins) line(context, pixels, from, to);

  context.lineWidth = 2;
  context.setLineDash([3, 2]);
  for (const i of gone) {
    context.globalAlpha = opacity(i, 1);
    triangle(context, pixels, i);
    context.stroke();
  }
  context.setLineDash([]);
  context.lineWidth = 1;
  context.fillStyle = palette.selected;
  context.strokeStyle = palette.back;
  for (const i of picks.toReversed()) {
    triangle(context, pixels, i);
    context.globalAlpha = shade(i, OPACITY.triangle);
    context.fill();
    // The edge separates a mark from those below.
    context.globalAlpha = opacity(i, 1);
    context.stroke();
  }

  context.font = '600 12px system-ui, sans-serif';
  context.fillStyle = palette.text;
  context.lineJoin = 'round';
  context.lineWidth = 3;
  const write = (i: number, text: string): void => {
    context.globalAlpha = opacity(i, 1);
    context.strokeText(text, pixels[2 * i] + 8, pixels[2 * i + 1] - 4);
    context.fillText(text, pixels[2 * i] + 8, pixels[2 * i + 1] - 4);
  };
  for (const i of gone) write(i, '–');
  for (const [k, i] of picks.entries()) write(i, labels[k]);
  context.globalAlpha = 1;
}

function drawAttention(context: CanvasRenderingContext2D, drawing: Drawing, palette: Palette): void {
  const { pixels, scene, attention } = drawing;
  const { shown, pinned, ofDocument } = attention;
  const ring = (i: number, radius: number, width: number): void => {
    context.lineWidth = width;
    circle(context, pixels, i, radius);
    context.stroke();
  };
  context.strokeStyle = palette.text;
  for (const i of ofDocument ?? []) ring(i, 7, 1.5);
  if (shown !== null) {
    const near = scene.nearest[shown];
    context.lineWidth = 1.5;
    context.setLineDash([4, 3]);
    if (near !== null) line(context, pixels, shown, near);
    context.setLineDash([]);
    ring(shown, 10, 2);
  }
  context.strokeStyle = palette.link;
  if (pinned !== null) ring(pinned, 12, 3);
}

function line(context: CanvasRenderingContext2D, pixels: Float64Array, from: number, to: number): void {
  context.beginPath();
  context.moveTo(pixels[2 * from], pixels[2 * from + 1]);
  context.lineTo(pixels[2 * to], pixels[2 * to + 1]);
  context.stroke();
}

function circle(context: CanvasRenderingContext2D, pixels: Float64Array, i: number, radius: number): void {
  context.beginPath();
  context.arc(pixels[2 * i], pixels[2 * i + 1], radius, 0, FULL_TURN);
}

function triangle(context: CanvasRenderingContext2D, pixels: Float64Array, i: number): void {
  const [x, y] = [pixels[2 * i], pixels[2 * i + 1]];
  context.beginPath();
  context.moveTo(x, y - 8);
  context.lineTo(x + 7.5, y + 5.5);
  context.lineTo(x - 7.5, y + 5.5);
  context.closePath();
}
