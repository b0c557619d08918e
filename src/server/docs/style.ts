/** The style of the page: no fonts and no images, light or dark as the reader's system is, one column on a phone. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --back: #fff; --panel: #f5f6f8; --line: #dfe3e8; --text: #1b1f24; --muted: #59626e; --link: #0a58b0;
  --get: #0a58b0; --post: #17703a; --change: #8a5200; --delete: #b3261e; --mark: #fff3cd;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14171b; --panel: #1d2126; --line: #333a43; --text: #e4e7eb; --muted: #9fa9b5; --link: #82b8ff;
    --get: #82b8ff; --post: #6fd08c; --change: #f0b25b; --delete: #ff8f87; --mark: #3a3216;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--back); color: var(--text); overflow-wrap: anywhere;
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--back); z-index: 1; }
body > header, main, nav { padding: 1rem; }
body > header, main { min-width: 0; max-width: 54rem; }
h1, h2, h3, h4, h5 { line-height: 1.25; margin: 0 0 .5rem; }
h1 { font-size: 2rem; }
h1 small { font-size: 1rem; font-weight: 400; color: var(--muted); }
h2 { font-size: 1.5rem; margin-top: 2.5rem; padding-bottom: .4rem; border-bottom: 2px solid var(--line); }
h3 { font-size: 1.2rem; }
h4 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
h5 { font-size: .875rem; margin: .75rem 0 0; color: var(--muted); }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
p, ul, ol, pre { margin: 0 0 .6rem; }
ul, ol { padding-left: 1.4rem; }
code, pre { font-family: var(--mono); font-size: .875em; }
pre {
  font-size: .8125rem; line-height: 1.5; overflow: auto; max-height: 28rem; padding: .75rem 1rem;
  background: var(--panel); border: 1px solid var(--line); border-radius: .4rem; overflow-wrap: normal;
}
pre code { font-size: inherit; }
summary { cursor: pointer; color: var(--muted); font-size: .9rem; padding: .15rem 0; }
summary:hover { color: var(--text); }

nav { font-size: .9rem; border: solid var(--line); border-width: 1px 0; background: var(--panel); }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav ul { list-style: none; padding: 0; margin: 0 0 .5rem; }
nav li a, nav > a { display: block; padding: .2rem 0; }
nav summary { font-weight: 600; color: var(--text); padding: .4rem 0; }
nav .method { font-size: .6875rem; }
nav li a:has(.method) { display: grid; grid-template-columns: 3.4rem minmax(0, 1fr); align-items: baseline; }
nav .path { font-size: .8125rem; }
nav .names { columns: 9rem; }

.operation, .schema { padding: 1.5rem 0; border-top: 1px solid var(--line); scroll-margin-top: 0; }
h2 + .operation, h2 + .schema { border-top: 0; padding-top: .5rem; }
:target > h3 { background: var(--mark); box-shadow: 0 0 0 .3rem var(--mark); }
.route .path { font-size: .95rem; margin-left: .25rem; }
.method { display: inline-block; font: 700 .75rem/1.6 var(--mono); color: var(--get); }
.post { color: var(--post); }
.put, .patch { color: var(--change); }
.delete { color: var(--delete); }
.needs, .note, .example, .fact { color: var(--muted); font-size: .875rem; }
.name { font-weight: 600; }
.type { font-size: .9rem; }
.fact::before { content: " · "; }
h4 .fact { font-weight: 400; }
.required { margin-left: .5em; font-size: .75rem; font-weight: 600; color: var(--change); }
.about > :last-child, .answer > :last-child { margin-bottom: 0; }
.about { font-size: .95rem; }
.example, .note { margin: 0; }
.fields, .alternatives, .responses { list-style: none; padding: 0; margin: .25rem 0 .5rem; }
.fields > li { padding: .5rem 0; border-top: 1px solid var(--line); }
.fields > li:first-child { border-top: 0; padding-top: .15rem; }
.fields details > .about, .fields details > .example, .fields details > .fields, .fields details > .note { padding-left: .75rem; border-left: 2px solid var(--line); margin-bottom: 0; }
.type code, .fact code, .needs code { display: inline-block; max-width: 100%; }
.alternatives > li { padding: .35rem 0 .35rem .75rem; border-left: 2px solid var(--line); margin-bottom: .4rem; }
.responses > li { display: grid; grid-template-columns: 3.2rem minmax(0, 1fr); padding: .5rem 0; border-top: 1px solid var(--line); }
.answer > p { margin: 0; }
.status { font: 600 .875rem/1.75 var(--mono); }
.s2 { color: var(--post); }
.s3 { color: var(--get); }
.s4 { color: var(--change); }
.s5 { color: var(--delete); }
.media { margin-top: .15rem; }
.scheme { margin: 1rem 0; }

@media (min-width: 64rem) {
  body { display: grid; grid-template: auto 1fr / 20rem minmax(0, 1fr); }
  nav {
    grid-area: 1 / 1 / 3; position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem;
    border-width: 0 1px 0 0;
  }
  body > header { grid-area: 1 / 2; padding: 2rem 3rem 0; }
  main { grid-area: 2 / 2; padding: 0 3rem 6rem; }
}
@media print {
  nav { display: none; }
  body { display: block; }
  pre { max-height: none; white-space: pre-wrap; }
}
`;
