import { html, raw } from 'hono/html';
import { visible } from '../../client/index.ts';
import { number } from '../../evaluation/index.ts';
import { type Cell, type Chart, cellText, FEW_NOTE, isFew, type Report, type Section, type Table } from './report.ts';

type View = ReturnType<typeof html>;

/** Renders a report as one escaped HTML page without scripts or external resources. */
export async function reportPage({ title, about, sections }: Report): Promise<string> {
  // Lazy: echarts is large, and only pages need it.
  const { chartSvg } = await import('./charts.ts');
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><h1>${title}</h1>
${about.map((line) => html`<p class="muted">${line}</p>\n`)}</header>
${contents(sections, 's', 'Contents')}
<main id="main">
${sections.map((section, place) => sectionView(section, `s${place + 1}`, 2, chartSvg))}</main>
</body>
</html>
`;
  return visible(String(page));
}

function contents(sections: readonly Section[], prefix: string, label: string): View {
  const links = sections.map(({ title }, place) => html`<li><a href="#${prefix}${place + 1}">${title}</a></li>`);
  return html`<nav aria-label="${label}"><ul>${links}</ul></nav>`;
}

function sectionView(
  { title, parts, sections = [] }: Section,
  id: string,
  level: number,
  chartSvg: (chart: Chart) => string,
): View {
  const heading = raw(`h${level}`);
  return html`<section id="${id}"><${heading}>${title}</${heading}>
${sections.length > 0 && contents(sections, `${id}-`, `Contents of ${title}`)}
${parts.map((part) => (part.kind === 'table' ? tableView(part) : chartView(part.title, chartSvg(part))))}
${sections.map((section, place) => sectionView(section, `${id}-${place + 1}`, level + 1, chartSvg))}</section>
`;
}

function chartView(title: string, svg: string): View {
  return html`<figure><figcaption>${title}</figcaption>
<div class="scroll" tabindex="0" role="region" aria-label="${title}"><div role="img" aria-label="${title}">${raw(svg)}</div></div></figure>
`;
}

function tableView({ title, heads, rows, names = 1 }: Table): View {
  const isName = (cell: Cell, place: number) => place < names || (typeof cell === 'string' && /[a-z]/i.test(cell));
  const cells = (row: readonly Cell[]) =>
    row.map((cell, place) => {
      if (place === 0) return html`<th scope="row">${cellView(cell)}</th>`;
      return html`<td class="${isName(cell, place) ? 'text' : 'figure'}">${cellView(cell)}</td>`;
    });
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table>
<caption>${title}${rows.flat().some(isFew) && `; ${FEW_NOTE}`}</caption>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>\n`)}</tbody>
</table></div>
`;
}

function cellView(cell: Cell): View | string {
  if (typeof cell !== 'object' || 'p' in cell) return cellText(cell);
  const { estimate, digits, expected } = cell;
  const { value, low, high, n } = estimate;
  const range = low !== null && high !== null && `${number(low, digits)} to ${number(high, digits)}`;
  const notes = [range, n !== (expected ?? n) && `n = ${n}`];
  return html`${number(value, digits)}${isFew(cell) && '*'}${notes.map((note) => note !== false && html`<span class="range">${note}</span>`)}`;
}

const STYLE = `
:root {
  color-scheme: light dark;
  --back: #fff; --panel: #f5f6f8; --line: #dde2e8; --text: #1b1f24; --muted: #59626e; --link: #0a58b0;
  --hue-0: #0a58b0; --hue-1: #b0450a; --hue-2: #17703a; --hue-3: #8a3a9c; --hue-4: #7d5000; --hue-5: #0b7285;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14171b; --panel: #1d2126; --line: #333a43; --text: #e4e7eb; --muted: #9fa9b5; --link: #82b8ff;
    --hue-0: #82b8ff; --hue-1: #ff9f6b; --hue-2: #7fd79b; --hue-3: #dba4ea; --hue-4: #e6c06a; --hue-5: #67d0e0;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--back); color: var(--text); overflow-wrap: anywhere;
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--back); z-index: 1; }
header, main, body > nav { max-width: 76rem; margin: 0 auto; padding: .75rem 1.25rem; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; padding: 0; }
h1, h2, h3, h4 { line-height: 1.25; margin: 1.75rem 0 .5rem; }
h1 { font-size: 1.75rem; margin-top: 0; }
h2 { font-size: 1.4rem; padding-bottom: .35rem; border-bottom: 2px solid var(--line); }
h3 { font-size: 1.1rem; }
h4 { font-size: .95rem; }
h3::first-letter, h4::first-letter, caption::first-letter, thead th::first-letter { text-transform: uppercase; }
p { margin: 0 0 .6rem; }
figure { margin: 0 0 1rem; }
.muted, caption, figcaption { color: var(--muted); }
.scroll { overflow-x: auto; margin-bottom: 1rem; }
svg { display: block; height: auto; width: 100%; min-width: 48rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
caption { text-align: left; padding: .25rem 0 .5rem; font-size: .875rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0; border-top: 1px solid var(--line); white-space: pre-line; }
thead th { border-top: 0; color: var(--muted); vertical-align: bottom; overflow-wrap: normal; }
tbody th { min-width: 11rem; position: sticky; left: 0; background: var(--back); }
td.figure { font-variant-numeric: tabular-nums; white-space: nowrap; }
td.text { min-width: 10rem; }
.range { display: block; color: var(--muted); font-size: .8125rem; font-weight: 400; }
@media print {
  html { font-size: 8.5pt; }
  header, main, body > nav { max-width: none; padding-left: 0; padding-right: 0; }
  .scroll { overflow: visible; }
  tbody th { position: static; min-width: 6rem; }
  h2, h3, h4, caption { break-after: avoid; }
  tr, figure, svg { break-inside: avoid; }
  svg { min-width: 0; }
}
`;
