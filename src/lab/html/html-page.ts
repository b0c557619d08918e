import { type Content, Html, html } from './html.ts';

/** A whole page that loads and runs nothing: `body` holds a `<main id="main">`. */
export function htmlPage({
  title,
  style,
  body,
}: {
  readonly title: string;
  /** CSS. */
  readonly style: string;
  readonly body: Content;
}): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${body}
</body>
</html>
`.markup;
}
