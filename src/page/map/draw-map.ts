import type { PlotSize } from './fit-layout.ts';
import type { Palette } from './palette.ts';
import type { Scene } from './scene.ts';
import type { Sprite, Sprites } from './sprites.ts';

/** What is looked at, by the places of points. */
export interface Attention {
  readonly shown: number | null;
  readonly pinned: number | null;
  /** Points of the document that is picked out; null where none is. */
  readonly ofDocument: ReadonlySet<number> | null;
}

/** How strongly points of other documents are drawn while one document is picked out. */
const DIMMED = 0.16;
const FULL_TURN = 2 * Math.PI;

/**
 * Draws all points, with the lines of those that joined.
 *
 * @param context whose unit is a pixel of CSS
 * @param pixels x and y of each point, one after the other
 */
export function drawPoints(
  context: CanvasRenderingContext2D,
  { width, height }: PlotSize,
  pixels: Float64Array,
  { order, shades, isGated, picks, labels, gone, joins }: Scene,
  ofDocument: Attention['ofDocument'],
  palette: Palette,
  sprites: Sprites,
): void {
  const stamp = (i: number, { image, side }: Sprite): void => {
    context.globalAlpha = ofDocument === null || ofDocument.has(i) ? 1 : DIMMED;
    context.drawImage(image, pixels[2 * i] - side / 2, pixels[2 * i + 1] - side / 2, side, side);
  };
  context.clearRect(0, 0, width, height);

  for (const i of order) stamp(i, isGated[i] ? sprites.gated : sprites.circle(shades[i]));

  context.globalAlpha = ofDocument === null ? 0.28 : DIMMED;
  context.strokeStyle = palette.selected;
  context.lineWidth = 1;
  context.beginPath();
  for (const [from, to] of joins) line(context, pixels, from, to);
  context.stroke();

  for (const i of gone) stamp(i, sprites.gone);
  for (const i of picks.toReversed()) stamp(i, sprites.triangle(shades[i]));
  context.font = '600 12px system-ui, sans-serif';
  context.strokeStyle = palette.back;
  context.fillStyle = palette.text;
  context.lineJoin = 'round';
  const write = (i: number, text: string): void => {
    context.globalAlpha = ofDocument === null || ofDocument.has(i) ? 1 : DIMMED;
    context.lineWidth = 3;
    context.strokeText(text, pixels[2 * i] + 8, pixels[2 * i + 1] - 4);
    context.fillText(text, pixels[2 * i] + 8, pixels[2 * i + 1] - 4);
  };
  for (const i of gone) write(i, '–');
  for (const [k, i] of picks.entries()) write(i, labels[k]);

  context.globalAlpha = 1;
  if (ofDocument === null) return;
  context.strokeStyle = palette.text;
  context.lineWidth = 1.5;
  for (const i of ofDocument) ring(context, pixels, i, 7);
}

/** Draws over the points which of them is looked at, and which is pinned. */
export function drawAttention(
  context: CanvasRenderingContext2D,
  pixels: Float64Array,
  { nearest }: Scene,
  { shown, pinned }: Attention,
  palette: Palette,
): void {
  const near = shown === null ? null : nearest[shown];
  if (shown !== null && near !== null) {
    context.strokeStyle = palette.text;
    context.lineWidth = 1.5;
    context.setLineDash([4, 3]);
    context.beginPath();
    line(context, pixels, shown, near);
    context.stroke();
    context.setLineDash([]);
  }
  context.strokeStyle = palette.text;
  context.lineWidth = 2;
  if (shown !== null) ring(context, pixels, shown, 10);
  if (pinned === null) return;
  context.lineWidth = 3;
  context.strokeStyle = palette.link;
  ring(context, pixels, pinned, 12);
}

function line(context: CanvasRenderingContext2D, pixels: Float64Array, from: number, to: number): void {
  context.moveTo(pixels[2 * from], pixels[2 * from + 1]);
  context.lineTo(pixels[2 * to], pixels[2 * to + 1]);
}

function ring(context: CanvasRenderingContext2D, pixels: Float64Array, i: number, radius: number): void {
  context.beginPath();
  context.arc(pixels[2 * i], pixels[2 * i + 1], radius, 0, FULL_TURN);
  context.stroke();
}
