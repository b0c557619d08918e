import { number } from '../../evaluation/index.ts';
import type { Estimate } from '../bulk/estimate.ts';
import { type Content, Html, html } from '../html/html.ts';
import { htmlPage } from '../html/html-page.ts';
import { clipped } from './drawing.ts';

/** A part of a page, with what the list of contents calls it. */
export interface Section {
  readonly id: string;
  /** As the title where absent. */
  readonly link?: string | undefined;
  readonly title: string;
  readonly style?: string | undefined;
  readonly body: Content;
}

/** Where sections stand on a page. */
interface Place {
  /** Of the headings of sections; those in them are one below. */
  readonly level: 2 | 3;
  /** Before every id, so that several reports can stand on one page. */
  readonly prefix: string;
}

/** On a page of their own. */
const ON_TOP: Place = { level: 2, prefix: '' };

/** Where on a page the sections of a comparison stand, and what they call what is compared. */
export interface Placement extends Place {
  readonly words: Naming;
  /** The number that an arm goes by on the whole page. */
  numberOf(name: string, place: number): number;
  /** A name of at most so many characters, for labels of plots. */
  shorten(name: string, most: number): string;
}

export interface Naming {
  readonly one: string;
  /** With its article. */
  readonly some: string;
  readonly many: string;
  /** One of what they are compared over. */
  readonly datum: string;
  readonly data: string;
}

/** A page of its own. */
export const ALONE: Placement = {
  ...ON_TOP,
  words: { one: 'arm', some: 'an arm', many: 'arms', datum: 'datum', data: 'data' },
  numberOf: (_, place) => place + 1,
  shorten: clipped,
};

interface Report {
  readonly title: string;
  /** What it is of, in a line or two. */
  readonly about: Content;
  readonly sections: readonly Section[];
}

/** A report as one HTML page to read. It loads nothing and runs nothing; every text in it is escaped. */
export function reportPage({ title, about, sections }: Report): string {
  const body = html`<header><h1>${title}</h1>
<p class="muted">${about}</p></header>
${contentsOf(sections, 'Contents')}
<main id="main">
${sections.map((section) => sectionView(section))}</main>`;
  return htmlPage({ title, style: STYLE, body });
}

export function contentsOf(sections: readonly Section[], label: string, { prefix }: Place = ON_TOP): Html {
  const links = sections.map(({ id, title, link = title }) => html`<li><a href="#${prefix}${id}">${link}</a></li>`);
  return html`<nav aria-label="${label}"><ul>${links}</ul></nav>`;
}

export function sectionView({ id, title, style, body }: Section, { level, prefix }: Place = ON_TOP): Html {
  return html`<section${style !== undefined && html` class="${style}"`} id="${prefix}${id}">${heading(level, title)}
${body}</section>
`;
}

export function heading(level: number, title: Content, id?: string): Html {
  const name = new Html(`h${level}`);
  return html`<${name}${id !== undefined && html` id="${id}"`}>${title}</${name}>`;
}

/** As it stands at the head of a column. */
export function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** "1 case", "12 cases". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

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

/** The head of a row: a name with the number that it goes by. */
export function numberedHead(place: number, name: string, more?: Content): Html {
  return html`<th scope="row"><span class="muted">${place}</span> ${name}${more}</th>`;
}

/**
 * A figure over its interval.
 *
 * @param expected values that the row promises; a figure that rests on fewer says so, and every one where it is null
 */
export function estimateCell(
  { value, low, high, n }: Estimate,
  expected: number | null,
  digits = 1,
  badge?: Content,
): Html {
  const range = low !== null && high !== null && `${number(low, digits)} to ${number(high, digits)}`;
  const count = n !== expected && `n = ${n}`;
  return html`<td>${number(value, digits)}${badge}${range !== false && small(range)}${count !== false && small(count)}</td>`;
}

/** What stands small below a figure or a head. */
export function small(text: Content): Html {
  return html`<span class="range">${text}</span>`;
}

/** No fonts and no images; light or dark as the reader's system is. */
const STYLE = `
:root {
  color-scheme: light dark;
  --back: #fff; --panel: #f5f6f8; --line: #dde2e8; --text: #1b1f24; --muted: #59626e; --link: #0a58b0;
  --good: #17703a; --good-back: #e2f4e8; --half: #7d5000; --half-back: #fff1d6; --bad: #a6211a; --bad-back: #fde7e5;
  --hue-0: #0a58b0; --hue-1: #b0450a; --hue-2: #17703a; --hue-3: #8a3a9c; --hue-4: #7d5000; --hue-5: #0b7285;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14171b; --panel: #1d2126; --line: #333a43; --text: #e4e7eb; --muted: #9fa9b5; --link: #82b8ff;
    --good: #7fd79b; --good-back: #17301f; --half: #f0bd6a; --half-back: #35290f; --bad: #ff9b93; --bad-back: #3a1d1b;
    --hue-0: #82b8ff; --hue-1: #ff9f6b; --hue-2: #7fd79b; --hue-3: #dba4ea; --hue-4: #e6c06a; --hue-5: #67d0e0;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--back); color: var(--text); overflow-wrap: anywhere;
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--back); z-index: 1; }
header, main, nav { max-width: 76rem; margin: 0 auto; padding: .75rem 1.25rem; }
header { padding-bottom: 0; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; padding: 0; }
main nav { padding: 0; margin: 0 0 1rem; font-size: .9rem; }
h1, h2, h3, h4 { line-height: 1.25; margin: 0 0 .5rem; }
h1 { font-size: 1.75rem; }
h2 { font-size: 1.4rem; margin-top: 2rem; padding-bottom: .35rem; border-bottom: 2px solid var(--line); }
h3 { font-size: 1.05rem; margin-top: 2.25rem; }
h3:first-of-type { margin-top: 1rem; }
h4 { font-size: .95rem; margin-top: 1.5rem; }
h3::first-letter, h4::first-letter, caption::first-letter, thead th::first-letter { text-transform: uppercase; }
section.set { border-top: 4px solid var(--line); margin-top: 3rem; }
section.set > h2 { border-bottom: 0; padding-bottom: 0; }
section.set > section > h3 { font-size: 1.2rem; text-transform: none; margin-top: 2.25rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
p { margin: 0 0 .6rem; }
.muted, caption, figcaption { color: var(--muted); }
figcaption { font-size: .9rem; margin-bottom: .25rem; }
figcaption b { color: var(--text); }
.scroll { overflow-x: auto; margin-bottom: 1rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
caption { text-align: left; padding: .25rem 0 .5rem; font-size: .875rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0; border-top: 1px solid var(--line); min-width: 4.5rem; }
thead th { border-top: 0; color: var(--muted); font-weight: 600; vertical-align: bottom; overflow-wrap: normal; }
tbody th { font-weight: 600; min-width: 6rem; }
tbody th.wide { font-weight: 400; }
.range { display: block; color: var(--muted); font-size: .8125rem; font-variant-numeric: tabular-nums; }
thead .range, .why { font-weight: 400; }
.figures { font-variant-numeric: tabular-nums; }
.figures td, .figures thead th + th { text-align: right; white-space: nowrap; overflow-wrap: normal; }
.figures td.name, .figures thead th.name { text-align: left; white-space: normal; }
.figures tbody th, .lengths tbody th { min-width: 13rem; position: sticky; left: 0; background: var(--back); }
.overview thead th::first-letter { text-transform: none; }
.overview thead th + th { white-space: normal; min-width: 9rem; }
.lengths td { width: 26%; }
.lengths thead th { white-space: nowrap; }
.makings dl { margin: 0; display: grid; grid-template-columns: max-content 1fr; gap: 0 .75rem; }
.makings dt { color: var(--muted); overflow-wrap: normal; }
.makings dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
.systems tbody th { min-width: 13rem; width: 26%; }
.systems td { min-width: 14rem; }
.systems pre { white-space: pre-wrap; }
.wide { min-width: 14rem; width: 38%; }
.curve td:last-child { width: 50%; }
details > summary { cursor: pointer; color: var(--muted); font-size: .9rem; margin-bottom: .5rem; }
details.record { border: 1px solid var(--line); border-radius: .5rem; margin-bottom: .6rem; }
details.record > summary { color: inherit; font-size: 1rem; margin: 0; padding: .6rem .9rem; background: var(--panel); border-radius: .5rem; }
details.record[open] > summary { border-radius: .5rem .5rem 0 0; }
details.record > div { padding: .5rem .9rem .9rem; }
summary b { margin-right: .5rem; }
summary .figure { color: var(--muted); margin-left: .75rem; white-space: nowrap; font-size: .9rem; font-variant-numeric: tabular-nums; }
.badge { display: inline-block; padding: 0 .5rem; border-radius: 1rem; font-size: .8125rem; font-weight: 600; white-space: nowrap; background: var(--panel); }
.good { color: var(--good); background: var(--good-back); }
.half { color: var(--half); background: var(--half-back); }
.bad { color: var(--bad); background: var(--bad-back); }
.markers { margin: 0; }
.markers div { display: flex; flex-wrap: wrap; gap: .25rem; margin-bottom: .25rem; align-items: baseline; }
.markers dt { color: var(--muted); font-size: .8125rem; min-width: 3.6rem; }
.markers dd { margin: 0; display: flex; flex-wrap: wrap; gap: .25rem; }
ol.items { padding-left: 1.75rem; }
ol.items li { margin-bottom: .6rem; padding-left: .25rem; }
q, blockquote { font-style: italic; }
.why { display: block; font-size: .875rem; color: var(--muted); }
.text { white-space: pre-line; background: var(--panel); border-left: 3px solid var(--line); margin: 0 0 1rem; padding: .6rem .9rem; font-style: normal; }
pre { margin: 0; overflow-x: auto; font-size: .85rem; background: var(--panel); padding: .5rem .75rem; border-radius: .35rem; }
code { font-size: .9em; }
.bar { display: block; height: .6rem; min-width: 1px; background: var(--link); border-radius: .15rem; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 33rem), 1fr)); gap: 0 1.5rem; }
.plots figure { margin: 0 0 1rem; min-width: 0; }
.plots .scroll { margin-bottom: 0; }
svg { display: block; height: auto; width: 100%; }
svg.plot { min-width: 56rem; }
.plots svg.plot { min-width: 31rem; }
svg.small { min-width: 10rem; max-width: 18rem; }
svg text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; fill: var(--text); }
svg .tick, svg .value, svg .number { font-variant-numeric: tabular-nums; }
svg .tick, svg .number { fill: var(--muted); font-size: 11px; }
svg .axis { fill: var(--muted); }
svg .strong { fill: var(--text); font-weight: 700; }
svg .small .tick { font-size: 10px; }
svg .grid { stroke: var(--line); }
svg .zero, svg .ground, svg .held { stroke: var(--muted); }
svg .held { stroke-dasharray: 4 3; }
svg .span { stroke-width: 2; stroke-linecap: round; }
svg line.told, svg line.mean { stroke: var(--link); }
svg line.untold { stroke: var(--muted); }
svg line.base { stroke: var(--text); }
svg circle.told, svg circle.mean { fill: var(--link); }
svg circle.untold { fill: var(--back); stroke: var(--muted); stroke-width: 1.75; }
svg circle.base { fill: var(--text); stroke: var(--back); }
svg .beyond { fill: var(--link); }
svg .whisker { stroke: var(--link); opacity: .3; }
svg .bin { fill: var(--link); opacity: .65; }
svg .outline { fill: none; stroke: var(--text); opacity: .75; }
svg .middle { stroke: var(--text); stroke-dasharray: 2 2; }
${[0, 1, 2, 3, 4, 5].map((hue) => `svg .hue-${hue} { --hue: var(--hue-${hue}); }`).join('\n')}
svg .course { fill: none; stroke: var(--hue); stroke-width: 1.75; }
svg .lead { stroke: var(--hue); opacity: .5; }
svg .mark { fill: var(--hue); stroke: var(--hue); stroke-width: 1.75; }
svg .mark.open { fill: var(--back); }
@media (max-width: 40rem) { .figures tbody th, .lengths tbody th { min-width: 8.5rem; } }
@media print {
  html { font-size: 8.5pt; }
  header, main, nav { max-width: none; padding-left: 0; padding-right: 0; }
  .scroll { overflow: visible; }
  th, td { min-width: 0; padding-right: .4rem; }
  .figures tbody th, .lengths tbody th { min-width: 6rem; position: static; }
  .figures td, .figures thead th + th { white-space: normal; }
  section.set { break-before: page; border-top: 0; }
  h2, h3, h4, caption { break-after: avoid; }
  tr, figure, svg { break-inside: avoid; }
  svg.plot, .plots svg.plot { min-width: 0; }
  details.record > summary { background: none; }
}
`;
