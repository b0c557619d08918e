import type { ComponentChildren } from 'preact';

interface TableProps {
  /** Accessible name of the box, which scrolls if the table is wider than the page. */
  readonly label: string;
  readonly class?: string;
  /** Column heads; "#" marks numeric columns. */
  readonly heads: readonly string[];
  /** Cells by row; the first is the row's head. */
  readonly rows: readonly (readonly ComponentChildren[])[];
}

export function Table({ label, heads, rows, ...box }: TableProps) {
  const isNumber = heads.map((head) => head.startsWith('#'));
  const classOf = (column: number) => (isNumber[column] ? 'number' : undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard
    <section class="scrolls" aria-label={label} tabIndex={0}>
      <table class={box.class}>
        <thead>
          <tr>
            {heads.map((head, column) => (
              <th key={head} scope="col" class={classOf(column)}>
                {head.replace('#', '')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([head, ...cells], row) => (
            <tr key={row}>
              <th scope="row">{head}</th>
              {cells.map((cell, column) => (
                <td key={heads[column + 1]} class={classOf(column + 1)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface FactsProps {
  /** Those whose value is null are left out. */
  readonly of: readonly (readonly [name: string, value: ComponentChildren])[];
}

/** Names with their values. */
export function Facts({ of }: FactsProps) {
  return (
    <dl class="facts">
      {of.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
