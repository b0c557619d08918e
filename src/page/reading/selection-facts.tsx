import { leavesOf } from './leaves.ts';
import type { StoredDigest } from './stored-digest.ts';
import { count } from './words.ts';

/** The options that statements were chosen by, as they were in the end, and what came of them. */
export function SelectionFacts({ digest: { selection, keyPoints } }: StoredDigest) {
  const { gate } = selection;
  const slight = keyPoints.filter(({ reason }) => reason === 'level').length;
  return (
    <details>
      <summary>How statements were chosen</summary>
      <p>
        {count(gate.kept, 'statement')} {gate.kept === 1 ? 'was' : 'were'} chosen among
        {gate.dropped > 0 && `; ${gate.dropped.toLocaleString('en-US')} too far from what was asked`}
        {slight > 0 && `; ${slight.toLocaleString('en-US')} of them hardly help to answer`}. Every setting, as the API
        names it:
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
