import { STYLE } from '../evaluation-page/style.ts';

/** The style of the page of an evaluation, and what drawings need beside it. */
export const COMPARISON_STYLE = `${STYLE}
h3 { margin-top: 2.25rem; }
h3::first-letter { text-transform: uppercase; }
.figures tbody th, .lengths tbody th { min-width: 13rem; position: sticky; left: 0; background: var(--back); }
h3:first-of-type { margin-top: 1rem; }
details > summary { cursor: pointer; color: var(--muted); font-size: .9rem; margin-bottom: .5rem; }
svg { display: block; }
svg.plot { width: 100%; min-width: 56rem; height: auto; }
svg.small { width: 100%; min-width: 10rem; max-width: 18rem; height: auto; }
svg text { font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; fill: var(--text); }
svg .tick, svg .value, svg .number { font-variant-numeric: tabular-nums; }
svg .tick, svg .number { fill: var(--muted); font-size: 11px; }
svg .axis { fill: var(--muted); }
svg .strong { fill: var(--text); font-weight: 700; }
svg .small .tick { font-size: 10px; }
svg .grid { stroke: var(--line); }
svg .zero, svg .ground { stroke: var(--muted); }
svg .range { stroke-width: 2; stroke-linecap: round; }
svg line.told { stroke: var(--link); }
svg line.untold { stroke: var(--muted); }
svg circle.told { fill: var(--link); }
svg circle.untold { fill: var(--back); stroke: var(--muted); stroke-width: 1.75; }
svg circle.base { fill: var(--text); stroke: var(--back); }
svg .beyond { fill: var(--link); }
svg .whisker { stroke: var(--link); opacity: .3; }
svg .bin { fill: var(--link); opacity: .65; }
svg .outline { fill: none; stroke: var(--text); opacity: .75; }
svg .middle { stroke: var(--text); stroke-dasharray: 2 2; }
.lengths .range { display: block; color: var(--muted); font-size: .8125rem; font-variant-numeric: tabular-nums; }
.lengths td { width: 26%; }
.lengths thead th { white-space: nowrap; }
pre { margin: 0; overflow-x: auto; font-size: .85rem; background: var(--panel); padding: .5rem .75rem; border-radius: .35rem; }
@media print { svg.plot { min-width: 0; } }
`;
