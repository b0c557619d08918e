import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** Whether the hint says what is wrong. */
  readonly isWrong?: boolean;
  /** The control, with its id and the id of its hint. */
  readonly children: (ids: {
    readonly id: string;
    readonly 'aria-describedby': string | undefined;
  }) => ComponentChildren;
}

function Field({ label, hint, isWrong = false, children }: FieldProps) {
  const id = useId();
  return (
    <div class="options-field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': hint === undefined ? undefined : `${id}-hint` })}
      {hint !== undefined && (
        <p id={`${id}-hint`} class={isWrong ? 'wrong' : 'muted'}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: string | undefined;
  /** Name of the default. */
  readonly unset: string;
  readonly onChoose: (value: string | undefined) => void;
  readonly children: ComponentChildren;
}

export function Choice({ label, hint, value, unset, onChoose, children }: ChoiceProps) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <select
          {...ids}
          value={value ?? ''}
          onChange={({ currentTarget }) => onChoose(currentTarget.value || undefined)}
        >
          <option value="">{unset}</option>
          {children}
        </select>
      )}
    </Field>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: number | undefined;
  readonly range: readonly [number, number];
  readonly step?: 'any';
  readonly onChange: (value: number | undefined) => void;
}

/** A number that may be absent; it counts when the field is left. */
export function NumberField({ label, hint, value, range: [least, most], step, onChange }: NumberFieldProps) {
  const isWhole = step === undefined;
  const isWrong = value !== undefined && (value < least || value > most || (isWhole && !Number.isInteger(value)));
  const range = `${isWhole ? 'A whole number' : 'A number'} from ${least} to ${most.toLocaleString('en')}.`;
  return (
    <Field label={label} hint={isWrong ? range : hint} isWrong={isWrong}>
      {(ids) => (
        <input
          {...ids}
          type="number"
          min={least}
          max={most}
          step={step}
          placeholder="default"
          value={value ?? ''}
          aria-invalid={isWrong}
          onChange={({ currentTarget: { value: typed } }) => onChange(typed === '' ? undefined : Number(typed))}
        />
      )}
    </Field>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string | undefined;
  readonly placeholder?: string;
  readonly onChange: (value: string | undefined) => void;
}

export function TextField({ label, hint, value, placeholder = 'default', onChange }: TextFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <input
          {...ids}
          type="text"
          autocomplete="off"
          spellcheck={false}
          maxLength={200}
          placeholder={placeholder}
          value={value ?? ''}
          onInput={({ currentTarget }) => onChange(currentTarget.value.trim() || undefined)}
        />
      )}
    </Field>
  );
}
