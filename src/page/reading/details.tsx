import { EngineFacts } from './engine-facts.tsx';
import { leavesOf } from './leaves.ts';
import { MetricFacts } from './metric-facts.tsx';
import { DocumentFacts } from './notes.tsx';
import type { StoredDigest } from './stored-digest.ts';
import { count } from './words.ts';
import './facts.css';

/** How a digest came about, in figures: folded, for those who look into it. */
export function Details(stored: StoredDigest) {
  return (
    <details class="read-facts">
      <summary>Details</summary>
      <DocumentFacts {...stored} />
      <MetricFacts {...stored} />
      <EngineFacts {...stored} />
      <SelectionFacts {...stored} />
    </details>
  );
}

/** The options that key points were selected by, as they were in the end, and what came of them. */
function SelectionFacts({ digest: { selection, keyPoints } }: StoredDigest) {
  const { gate } = selection;
  const slight = keyPoints.filter(({ reason }) => reason === 'level').length;
  return (
    <details>
      <summary>Selection of key points</summary>
      <p>
        {count(gate.kept, 'key point')} {gate.kept === 1 ? 'was' : 'were'} relevant enough to be selected
        {gate.dropped > 0 && `, ${gate.dropped.toLocaleString('en-US')} were not`}
        {slight > 0 && `; ${slight.toLocaleString('en-US')} would hardly help to answer`}. All settings, as the API
        names them:
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <div class="scrolls" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col">Value</th>
            </tr>
          </thead>
          <tbody>
            {leavesOf(selection).map(([name, value]) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
