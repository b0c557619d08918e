import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

interface NumberFieldProps {
  readonly label: ComponentChildren;
  /** Undefined is the default, shown as an empty field. */
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
  readonly least: number;
  readonly most: number;
  /** Between numbers that make a difference; whole numbers where it is 1. */
  readonly step: number;
  readonly placeholder?: string;
  readonly hint?: string;
}

/** A number that may be absent. What was typed stays as it was typed, and an emptied field empty until it is left. */
export function NumberField({ label, value, onChange, least, most, step, placeholder, hint }: NumberFieldProps) {
  const [typed, type] = useState(value === undefined ? '' : String(value));
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const isBeingTyped = document.activeElement === input.current;
    type((before) => (numberIn(before) === value || (before === '' && isBeingTyped) ? before : String(value ?? '')));
  }, [value]);
  const isWrong = value !== undefined && (value < least || value > most || (step === 1 && !Number.isInteger(value)));
  const told = isWrong
    ? `${step === 1 ? 'A whole number' : 'A number'} from ${least} to ${most.toLocaleString('en')}.`
    : hint;
  return (
    <div class="options-field">
      <label>
        {label}
        <input
          ref={input}
          type="number"
          inputMode={step === 1 ? 'numeric' : 'decimal'}
          min={least}
          max={most}
          step={step === 1 ? 1 : 'any'}
          placeholder={placeholder ?? 'default'}
          value={typed}
          aria-invalid={isWrong}
          aria-describedby={told === undefined ? undefined : id}
          onBlur={() => type((before) => (numberIn(before) === value ? before : String(value ?? '')))}
          onInput={({ currentTarget }) => {
            type(currentTarget.value);
            onChange(numberIn(currentTarget.value));
          }}
        />
      </label>
      {told !== undefined && (
        <p id={id} class={isWrong ? 'options-wrong' : 'muted'}>
          {told}
        </p>
      )}
    </div>
  );
}

function numberIn(text: string): number | undefined {
  const number = Number(text);
  return text.trim() === '' || !Number.isFinite(number) ? undefined : number;
}
