import type { ComponentChildren } from 'preact';

/** One fact: what it is called, what it is, and what that means. */
export interface Fact {
  readonly name: string;
  readonly value: ComponentChildren;
  readonly meaning?: string;
}

/** Facts as a list; without any, nothing. */
export function FactList({ facts }: { readonly facts: readonly Fact[] }) {
  if (facts.length === 0) return null;
  return (
    <dl class="read-fact-list">
      {facts.map(({ name, value, meaning }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <strong>{value}</strong>
            {meaning !== undefined && <span class="muted"> {meaning}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
