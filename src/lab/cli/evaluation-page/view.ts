import type { EvaluationAnswer, EvaluationRequest, Metric } from '../../../contract/index.ts';
import { type Content, type Html, html } from '../../../server/index.ts';
import { fixed } from '../print-estimate.ts';

/** A request and its answer, both of one metric. */
export type AnswerOf<Name extends Metric> = Extract<EvaluationAnswer, { readonly metric: Name }>;
export type RequestOf<Name extends Metric> = Extract<EvaluationRequest, { readonly metric: Name }>;

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

export type Tone = 'good' | 'half' | 'bad' | '';

export function badge(text: Content, tone: Tone): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}

/** A share or a score; a dash where there is none. */
export function number(value: number | null, digits = 1): string {
  return value === null ? '–' : fixed(value, digits);
}

/** What speaks for a verdict, as it stands in a text. */
export function evidenceOf(evidence: string | null): Content {
  return evidence === null ? html`<span class="muted">none</span>` : html`<q>${evidence}</q>`;
}

export function yesOrNo(isSo: boolean): Html {
  return isSo ? badge('yes', 'good') : badge('no', 'bad');
}
