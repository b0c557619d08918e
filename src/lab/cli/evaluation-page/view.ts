import type { Cell, Explanation, Part, Section } from '../../../evaluation/index.ts';
import { type Content, type Html, html } from '../../html/html.ts';

/**
 * A table with column heads, that scrolls in a box of its own where it is too wide.
 *
 * @param names columns of a table of figures that hold names
 */
export function table(
  caption: string,
  heads: readonly Content[],
  rows: readonly Content[],
  style = '',
  names = 1,
): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table class="${style}">
<caption>${caption}</caption>
<thead><tr>${heads.map((head, column) => html`<th scope="col" class="${column < names && 'name'}">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row}</tr>\n`)}</tbody>
</table></div>
`;
}

/** How an answer came about, as its metric explains it. */
export function explanationView(explanation: Explanation): Content {
  return explanation.map(sectionView);
}

function sectionView(section: Section): Content {
  if ('caption' in section) {
    const { caption, heads, rows, isCurve } = section;
    return table(
      caption,
      heads,
      rows.map((cells) => cells.map(cellView)),
      isCurve && 'curve',
    );
  }
  const { heading } = section;
  if ('text' in section) return html`<h4>${heading}</h4><blockquote class="text">${section.text}</blockquote>\n`;
  const { items, whenEmpty } = section;
  if (items.length === 0) return html`<h4>${heading}</h4>\n<p class="muted">${whenEmpty}</p>`;
  return html`<h4>${heading}</h4>
<ol class="items">${items.map(({ text, note }) => html`<li>${partView(text)}\n${partView({ note })}</li>`)}</ol>`;
}

function cellView({ parts, isHead, isWide }: Cell): Content {
  const shown = parts.map((part, index) => [index > 0 && ' ', partView(part)]);
  const style = isWide && html` class="wide"`;
  return isHead ? html`<th scope="row"${style}>${shown}</th>` : html`<td${style}>${shown}</td>`;
}

function partView(part: Part): Content {
  if (typeof part === 'string') return part;
  if ('badge' in part) return html`<span class="badge ${part.tone}">${part.badge}</span>`;
  if ('muted' in part) return html`<span class="muted">${part.muted}</span>`;
  if ('note' in part) return html`<span class="why">${part.note}</span>`;
  if ('bar' in part) return html`<span class="bar" style="width:${part.bar}%"></span>`;
  if ('line' in part) return html`<div>${part.line.map((each) => [partView(each), '\n'])}</div>`;
  if ('quote' in part) return part.quote === null ? partView({ muted: 'none' }) : html`<q>${part.quote}</q>`;
  return html`<dl class="markers">${part.groups.map(
    ({ name, badges, tone }) =>
      html`<div><dt>${name}</dt><dd>${badges.map((badge) => partView({ badge, tone }))}</dd></div>`,
  )}</dl>`;
}
