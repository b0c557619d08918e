import { leavesOf } from './leaves.ts';
import type { StoredDigest } from './stored-digest.ts';

/** The options that statements were chosen by, as they were in the end, and what came of them. */
export function SelectionFacts({ digest: { selection } }: StoredDigest) {
  const { gate } = selection;
  return (
    <details>
      <summary>How statements were chosen</summary>
      <p>
        {gate.kept.toLocaleString('en-US')} statements bear on what was asked, {gate.dropped.toLocaleString('en-US')} do
        not. Every setting, as the API names it:
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
