import type { Palette } from './palette.ts';

/** From so many points on marks are small. */
const DENSE = 4000;
/** Shades of relevance that are told apart. */
const SHADES = 8;
/** Side of the square around a triangle, in pixels of CSS. */
const TRIANGLE = 20;
const WEAKEST = { circle: 0.22, triangle: 0.6 };

/** A mark that is drawn once and copied to wherever a point is: several times faster than drawing thousands. */
export interface Sprite {
  readonly image: CanvasImageSource;
  /** Side of its square, in pixels of CSS. */
  readonly side: number;
}

/** Every mark of the map. */
export interface Sprites {
  /** An unselected point that is more relevant than a share of those past the gate. */
  circle(share: number): Sprite;
  /** A selected one. */
  triangle(share: number): Sprite;
  /** One that did not pass the gate. */
  readonly gated: Sprite;
  /** One that the digest selected and this selection does not. */
  readonly gone: Sprite;
}

/**
 * @param ratio pixels of the device to one of CSS
 * @param points how many there are: marks of very many are small, and that of a single one is seen at once
 */
export function makeSprites({ selected, unselected, back }: Palette, ratio: number, points: number): Sprites {
  const radius = points >= DENSE ? 2.4 : points === 1 ? 6 : 4;
  const dot = 2 * radius + 2;
  const draw = (side: number, paint: (context: CanvasRenderingContext2D) => void): Sprite => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = Math.ceil(side * ratio);
    const context = canvas.getContext('2d');
    if (context === null) return { image: canvas, side };
    context.scale(ratio, ratio);
    context.translate(side / 2, side / 2);
    paint(context);
    return { image: canvas, side };
  };
  const shades = (side: number, weakest: number, paint: (context: CanvasRenderingContext2D) => void): Sprite[] =>
    Array.from({ length: SHADES }, (_, shade) =>
      draw(side, (context) => {
        context.globalAlpha = weakest + (shade / (SHADES - 1)) * (0.95 - weakest);
        paint(context);
      }),
    );
  const circles = shades(dot, WEAKEST.circle, (context) => {
    context.fillStyle = unselected;
    context.arc(0, 0, radius, 0, 2 * Math.PI);
    context.fill();
  });
  const triangles = shades(TRIANGLE, WEAKEST.triangle, (context) => {
    trianglePath(context);
    context.fillStyle = selected;
    context.fill();
    // An edge in the colour of the ground parts it from what it lies on.
    context.globalAlpha = 1;
    context.strokeStyle = back;
    context.stroke();
  });
  const shadeOf = (share: number): number => Math.min(SHADES - 1, Math.floor(share * SHADES));
  return {
    circle: (share) => circles[shadeOf(share)],
    triangle: (share) => triangles[shadeOf(share)],
    gated: draw(dot, (context) => {
      context.globalAlpha = points === 1 ? 1 : 0.4;
      context.strokeStyle = unselected;
      context.arc(0, 0, radius - 0.5, 0, 2 * Math.PI);
      context.stroke();
    }),
    gone: draw(TRIANGLE, (context) => {
      trianglePath(context);
      context.lineWidth = 2;
      context.setLineDash([3, 2]);
      context.strokeStyle = selected;
      context.stroke();
    }),
  };
}

function trianglePath(context: CanvasRenderingContext2D): void {
  context.beginPath();
  context.moveTo(0, -8);
  context.lineTo(7.5, 5.5);
  context.lineTo(-7.5, 5.5);
  context.closePath();
}
