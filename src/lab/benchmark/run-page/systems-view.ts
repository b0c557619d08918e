import type { Retrieval } from '../../retrieval/retrieval.ts';
import { isFileSystem, type System } from '../../run/system.ts';
import { type Content, codeBlock, type Html, html } from '../../../server/docs/html.ts';
import { table } from '../../cli/evaluation-page/view.ts';

/** What each system is: its options, and which documents it is given. */
export function systemsView(systems: readonly System[], numbers: ReadonlyMap<string, number>): Html {
  const rows = systems.map((system) => {
    const number = numbers.get(system.name);
    return html`<th scope="row">${number !== undefined && html`<span class="muted">${number}</span> `}${system.name}${
      number === undefined && html`<span class="why">did not run</span>`
    }</th>${ofSystem(system)}`;
  });
  return table('Options as they were given', ['System', 'Options', 'Documents given'], rows, 'systems');
}

function ofSystem(system: System): Content {
  if (isFileSystem(system)) return html`<td class="wide">outputs from a file</td><td>as the file tells, or all</td>`;
  const { options, retrieval } = system;
  return html`<td class="wide">${codeBlock(JSON.stringify(options))}</td><td>${given(retrieval)}</td>`;
}

function given(retrieval: Retrieval | undefined): Content {
  return retrieval === undefined ? 'all, in the order of the collection' : codeBlock(JSON.stringify(retrieval));
}
