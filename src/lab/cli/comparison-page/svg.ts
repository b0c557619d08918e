import { type Content, type Html, html } from '../../html/html.ts';

/** A drawing that scrolls in a box of its own where the screen is narrow. */
export function drawing(label: string, { width, height }: { width: number; height: number }, content: Content): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
<svg class="plot" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${content}</svg></div>
`;
}

export function line(style: string, x1: number, y1: number, x2: number, y2: number): Html {
  return html`<line class="${style}" x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}"/>`;
}

/** @param anchor where the text stands to its x */
export function words(style: string, x: number, y: number, text: string, anchor: 'start' | 'middle' | 'end'): Html {
  return html`<text class="${style}" x="${px(x)}" y="${px(y)}" text-anchor="${anchor}">${text}</text>`;
}

/** A circle that tells more where a pointer rests. */
export function dot(style: string, x: number, y: number, radius: number, title: string): Html {
  return html`<circle class="${style}" cx="${px(x)}" cy="${px(y)}" r="${radius}"><title>${title}</title></circle>`;
}

/** As short as a drawing needs. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** A text that ends in dots where it is too long. */
export function clipped(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

/** A text without its middle where it is too long: names often differ in their ends. */
export function clippedInside(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const end = Math.floor((most - 1) / 2);
  return `${characters.slice(0, most - 1 - end).join('')}…${characters.slice(characters.length - end).join('')}`;
}
