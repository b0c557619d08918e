import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useMedia } from '../parts/use-media.ts';
import { type Attention, drawAttention, drawPoints } from './draw-map.ts';
import type { PlotSize } from './fit-layout.ts';
import { readPalette } from './palette.ts';
import type { Scene } from './scene.ts';
import { makeSprites } from './sprites.ts';

/** Share of the way that is left which a frame goes, and pixels at which a point has arrived. */
const STEP = 0.28;
const NEAR = 0.25;

/**
 * Moves points a frame's way towards where they belong, in place.
 *
 * @param pixels x and y of each point, one after the other
 * @returns whether all have arrived
 */
export function approach(pixels: Float64Array, target: Float64Array): boolean {
  let farthest = 0;
  for (let i = 0; i < pixels.length; i++) {
    const way = target[i] - pixels[i];
    farthest = Math.max(farthest, Math.abs(way));
    pixels[i] += STEP * way;
  }
  if (farthest > NEAR) return false;
  pixels.set(target);
  return true;
}

interface Drawing {
  readonly size: PlotSize | null;
  /** Where points belong, in pixels. */
  readonly target: Float64Array;
  readonly scene: Scene;
  readonly attention: Attention;
  /** Whether points jump to where they belong. */
  readonly isStill: boolean;
}

/** Keeps a canvas drawn: in the scheme and at the resolution of the screen, with points that glide to where they belong. */
export function useDrawing(canvas: RefObject<HTMLCanvasElement | null>, drawing: Drawing): void {
  const { size, target, scene, attention, isStill } = drawing;
  const isDark = useMedia('(prefers-color-scheme: dark)');
  const ratio = useRatio();
  const pixels = useRef(target.slice());
  const drawnAt = useRef(size);
  const frame = useRef(0);
  // What is drawn of points is kept, since who looks at them looks at one after the other.
  const ground = useRef<Ground | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are those of the scheme
  const inks = useMemo(() => {
    const palette = readPalette(document.body);
    return { palette, sprites: makeSprites(palette, ratio, target.length / 2) };
  }, [isDark, ratio, target.length]);

  useLayoutEffect(() => {
    if (canvas.current === null || size === null) return;
    canvas.current.width = Math.round(size.width * ratio);
    canvas.current.height = Math.round(size.height * ratio);
  }, [canvas, size, ratio]);

  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context || size === null) return;
    const isResized = drawnAt.current?.width !== size.width || drawnAt.current.height !== size.height;
    if (isStill || isResized || pixels.current.length !== target.length) pixels.current = target.slice();
    drawnAt.current = size;
    const { ofDocument } = attention;
    const parts = [size, target, scene, ofDocument, inks, ratio];
    const draw = () => {
      const hasArrived = approach(pixels.current, target);
      const canvas = ground.current?.canvas ?? document.createElement('canvas');
      if (!hasArrived || !isSame(ground.current?.parts, parts)) {
        paintGround(canvas, size, ratio, (drawn) =>
          drawPoints(drawn, size, pixels.current, scene, ofDocument, inks.palette, inks.sprites),
        );
        ground.current = { canvas, parts: hasArrived ? parts : null };
      }
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, context.canvas.width, context.canvas.height);
      context.drawImage(canvas, 0, 0);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      drawAttention(context, pixels.current, scene, attention, inks.palette);
      if (!hasArrived) frame.current = requestAnimationFrame(draw);
    };
    frame.current = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame.current);
  }, [canvas, size, target, scene, attention, isStill, inks, ratio]);
}

/** Points as they were drawn. */
interface Ground {
  readonly canvas: HTMLCanvasElement;
  /** What they were drawn of; null while they move. */
  readonly parts: readonly unknown[] | null;
}

function isSame(before: readonly unknown[] | null | undefined, parts: readonly unknown[]): boolean {
  return before?.every((part, i) => part === parts[i]) ?? false;
}

function paintGround(
  canvas: HTMLCanvasElement,
  { width, height }: PlotSize,
  ratio: number,
  paint: (context: CanvasRenderingContext2D) => void,
): void {
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== across || canvas.height !== down) [canvas.width, canvas.height] = [across, down];
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  paint(context);
}

/** Pixels of the screen to one of CSS, which changes when the page is zoomed or goes to another screen. */
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
