import type { StoredDigest } from '../reading/stored-digest.ts';
import { hrefOf } from '../route.ts';
import { optionsOf } from './experiment-of-pair.ts';
import { restOf, textOf } from './intent-text.ts';
import { leavesOf } from './option-leaves.ts';
import { optionName, tellOption } from './words-of-options.ts';

/** The side that is there already: what was asked for, and its first sentences. */
export function GivenSide({ stored }: { readonly stored: StoredDigest }) {
  const { digest, request } = stored;
  const intent = request.intent ?? undefined;
  const options = leavesOf(optionsOf(request));
  const { sentences } = digest.summary;
  return (
    <section class="cmp-side panel" aria-labelledby="cmp-given">
      <h2 id="cmp-given">Left: there already</h2>
      <dl class="cmp-rest">
        <div>
          <dt>Intent</dt>
          <dd>{textOf(intent) || 'none'}</dd>
        </div>
        {restOf(intent).map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
        {options.map(({ path, value }) => (
          <div key={path.join('.')}>
            <dt>{optionName(path.join('.'))}</dt>
            <dd>{tellOption(value)}</dd>
          </div>
        ))}
      </dl>
      {options.length === 0 && <p class="muted">All options as by default.</p>}
      <ol class="cmp-glance">
        {sentences.slice(0, 6).map(({ text }, place) => (
          <li key={place}>{text}</li>
        ))}
      </ol>
      {sentences.length > 6 && <p class="muted">and {sentences.length - 6} more sentences</p>}
      <p>
        <a href={hrefOf({ view: 'digest', id: digest.id, face: 'read' })}>Read it in full</a>
      </p>
    </section>
  );
}
