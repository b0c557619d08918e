import { codeBlock, type Html, html } from './html.ts';

/** Values up to so many characters stand within a line. */
const SHORT = 100;

/** A JSON value in a line. */
export function literal(value: unknown): Html {
  return html`<code>${JSON.stringify(value)}</code>`;
}

/** JSON as it is read best: in a line where it is short. */
export function prettyJson(value: unknown): string {
  const line = JSON.stringify(value) ?? '';
  return line.length <= 72 ? line : JSON.stringify(value, null, 2);
}

/** Examples of a field: short ones in a line, others folded away; strings that are sent as text are without quotes. */
export function fieldExamples(values: readonly unknown[], isText = false): Html {
  const isShort = (value: unknown) => (JSON.stringify(value) ?? '').length <= SHORT;
  const short = values
    .filter(isShort)
    .map((value, index) => [
      index > 0 && ', ',
      isText && typeof value === 'string' ? html`<code>${value}</code>` : literal(value),
    ]);
  return html`${short.length > 0 && html`<p class="example">for example ${short}</p>`}${values
    .filter((value) => !isShort(value))
    .map((value) => folded(html`Example`, codeBlock(prettyJson(value))))}`;
}

/** Content that is shown when its title is chosen. */
export function folded(title: Html, content: Html, open = false): Html {
  return html`<details${open && html` open`}><summary>${title}</summary>${content}</details>`;
}
