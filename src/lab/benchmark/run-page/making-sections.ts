import type { Making } from '../../benchmark-set.ts';
import { type Content, type Html, html } from '../../../server/docs/html.ts';
import type { Section } from '../../cli/comparison-page/placement.ts';
import { table } from '../../cli/evaluation-page/view.ts';

/** Digits of a hash that tell prompts apart. */
const SHORT = 8;

/** How a set was made, step by step; no section where nothing is known of it. */
export function makingSections(made: readonly Making[]): Section[] {
  if (made.length === 0) return [];
  const rows = made.map(
    ({
      step,
      version,
      seed,
      model,
      prompts,
      options,
      counts,
    }) => html`<th scope="row">${step}<span class="why">version ${version}</span></th>
<td>${modelOf(model)}</td><td>${seed}</td><td>${terms(Object.entries(prompts).map(([id, hash]) => [id, html`<code title="${hash}">${hash.slice(0, SHORT)}</code>`]))}</td>
<td>${terms(Object.entries(options).map(([name, value]) => [name, String(value)]))}</td>
<td>${terms(Object.entries(counts).map(([name, count]) => [name, count]))}</td>`,
  );
  const heads = ['Step', 'Model', 'Seed', 'Prompts', 'Options', 'Counts'];
  const body = table('Steps in order; prompts by the beginning of their SHA-256', heads, rows, 'makings');
  return [{ id: 'made', link: 'How it was made', title: 'How it was made', body }];
}

function modelOf(model: Making['model']): Content {
  if (model === null) return 'none';
  const { model: name, ...settings } = model;
  const given = Object.entries(settings).filter(([, value]) => value !== null);
  return html`${name}${given.length > 0 && terms(given)}`;
}

function terms(pairs: readonly (readonly [string, Content])[]): Html {
  if (pairs.length === 0) return html`–`;
  return html`<dl>${pairs.map(([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>`)}</dl>`;
}
