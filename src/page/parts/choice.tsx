import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface ChoiceProps {
  readonly label: string;
  /** Empty is the first option. */
  readonly value: string;
  readonly onChoose: (value: string) => void;
  /** Options of the list. */
  readonly children: ComponentChildren;
  readonly hint?: ComponentChildren;
}

/** One of a few, from a list. */
export function Choice({ label, value, onChoose, children, hint }: ChoiceProps) {
  const id = useId();
  return (
    <div class="options-field">
      <label>
        {label}
        <select
          value={value}
          aria-describedby={hint === undefined ? undefined : id}
          onChange={({ currentTarget }) => onChoose(currentTarget.value)}
        >
          {children}
        </select>
      </label>
      {hint !== undefined && (
        <p id={id} class="muted">
          {hint}
        </p>
      )}
    </div>
  );
}
