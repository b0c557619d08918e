import { escapeHtml } from '../../client/index.ts';

/** Trusted HTML; `html` escapes everything else. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

/** Strings are escaped; false, null and undefined render nothing. */
export type Content = Html | string | number | false | null | undefined | readonly Content[];

export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(strings.map((text, index) => text + (index < values.length ? markup(values[index]) : '')).join(''));
}

function markup(content: Content): string {
  if (content instanceof Html) return content.markup;
  if (content === undefined || content === null || content === false) return '';
  return typeof content === 'object' ? content.map(markup).join('') : escapeHtml(String(content));
}

/** A page without scripts or external resources. `body` contains `<main id="main">`. */
export function htmlPage({
  title,
  style,
  body,
}: {
  readonly title: string;
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
