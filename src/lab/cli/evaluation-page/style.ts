/** The style of the page: no fonts and no images, light or dark as the reader's system is. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --back: #fff; --panel: #f5f6f8; --line: #dde2e8; --text: #1b1f24; --muted: #59626e; --link: #0a58b0;
  --good: #17703a; --good-back: #e2f4e8; --half: #7d5000; --half-back: #fff1d6; --bad: #a6211a; --bad-back: #fde7e5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14171b; --panel: #1d2126; --line: #333a43; --text: #e4e7eb; --muted: #9fa9b5; --link: #82b8ff;
    --good: #7fd79b; --good-back: #17301f; --half: #f0bd6a; --half-back: #35290f; --bad: #ff9b93; --bad-back: #3a1d1b;
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
h1, h2, h3, h4 { line-height: 1.25; margin: 0 0 .5rem; }
h1 { font-size: 1.75rem; }
h2 { font-size: 1.4rem; margin-top: 2rem; padding-bottom: .35rem; border-bottom: 2px solid var(--line); }
h3 { font-size: 1.05rem; margin-top: 1.5rem; }
h4 { font-size: .95rem; margin-top: 1.25rem; }
p { margin: 0 0 .6rem; }
.muted, caption, figcaption { color: var(--muted); }
.scroll { overflow-x: auto; margin-bottom: 1rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
caption { text-align: left; padding: .25rem 0 .5rem; font-size: .875rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0; border-top: 1px solid var(--line); min-width: 4.5rem; }
thead th { border-top: 0; color: var(--muted); font-weight: 600; vertical-align: bottom; overflow-wrap: normal; }
thead th::first-letter { text-transform: uppercase; }
tbody th { font-weight: 600; min-width: 6rem; }
tbody th.wide { font-weight: 400; }
.figures { font-variant-numeric: tabular-nums; }
.figures td, .figures thead th + th { text-align: right; white-space: nowrap; overflow-wrap: normal; }
.figures .range { display: block; color: var(--muted); font-size: .8125rem; }
.figures td.name, .figures thead th.name { text-align: left; white-space: normal; }
.wide { min-width: 14rem; width: 38%; }
details.record { border: 1px solid var(--line); border-radius: .5rem; margin-bottom: .6rem; }
details.record > summary { cursor: pointer; padding: .6rem .9rem; background: var(--panel); border-radius: .5rem; }
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
.bar { display: block; height: .6rem; min-width: 1px; background: var(--link); border-radius: .15rem; }
.curve td:last-child { width: 50%; }
@media print { details.record > summary { background: none; } }
`;
