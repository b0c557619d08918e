import { COMPARISON_STYLE } from '../../cli/comparison-page/style.ts';

/** The style of the page of a comparison, and what several sets on one page need beside it. */
export const RUN_STYLE = `${COMPARISON_STYLE}
:root { --hue-0: #0a58b0; --hue-1: #b0450a; --hue-2: #17703a; --hue-3: #8a3a9c; --hue-4: #7d5000; --hue-5: #0b7285; }
@media (prefers-color-scheme: dark) {
  :root { --hue-0: #82b8ff; --hue-1: #ff9f6b; --hue-2: #7fd79b; --hue-3: #dba4ea; --hue-4: #e6c06a; --hue-5: #67d0e0; }
}
section.set { border-top: 4px solid var(--line); margin-top: 3rem; }
section.set > h2 { border-bottom: 0; padding-bottom: 0; }
section.set > section > h3 { font-size: 1.2rem; text-transform: none; margin-top: 2.25rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); }
h4 { margin-top: 1.75rem; }
h4::first-letter { text-transform: uppercase; }
.overview thead th::first-letter { text-transform: none; }
main nav { padding: 0; margin: 0 0 1rem; font-size: .9rem; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 33rem), 1fr)); gap: 0 1.5rem; }
.plots figure { margin: 0 0 1rem; min-width: 0; }
figcaption { font-size: .9rem; margin-bottom: .25rem; }
figcaption b { color: var(--text); }
.plots svg.plot { min-width: 31rem; }
.plots .scroll { margin-bottom: 0; }
svg .row { stroke: var(--line); stroke-dasharray: 1 3; }
svg .held { stroke: var(--muted); stroke-dasharray: 4 3; }
svg circle.mean { fill: var(--link); }
svg line.span { stroke: var(--link); stroke-width: 2; stroke-linecap: round; }
svg line.span.strong { stroke: var(--text); }
${[0, 1, 2, 3, 4, 5].map((hue) => `svg .hue-${hue} { --hue: var(--hue-${hue}); }`).join('\n')}
svg .course { fill: none; stroke: var(--hue); stroke-width: 1.75; }
svg .lead { stroke: var(--hue); opacity: .5; }
svg .mark { fill: var(--hue); stroke: var(--hue); stroke-width: 1.75; }
svg .mark.open { fill: var(--back); }
.makings .why, .systems .why { font-weight: 400; }
.makings dl { margin: 0; display: grid; grid-template-columns: max-content 1fr; gap: 0 .75rem; }
.makings dt { color: var(--muted); overflow-wrap: normal; }
.makings dd { margin: 0; font-variant-numeric: tabular-nums; }
code { font-size: .9em; }
.makings dd { overflow-wrap: normal; }
.overview thead th + th { white-space: normal; min-width: 9rem; }
.systems tbody th { min-width: 13rem; width: 26%; }
.systems td { min-width: 14rem; }
.systems pre { white-space: pre-wrap; }
.figures thead .range { font-weight: 400; }
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
  .plots svg.plot { min-width: 0; }
}
`;
