import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface Labelled {
  readonly label: string;
  readonly hint?: string | undefined;
}

interface FieldProps extends Labelled {
  /** The control, with its id and the id of its hint. */
  readonly children: (ids: {
    readonly id: string;
    readonly 'aria-describedby': string | undefined;
  }) => ComponentChildren;
}

function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  const described = hint === undefined ? undefined : `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': described })}
      {hint !== undefined && (
        <p id={described} class="muted">
          {hint}
        </p>
      )}
    </div>
  );
}

type Choice = readonly [value: string, name: string, isOff?: boolean];

interface SelectProps extends Labelled {
  readonly value: string | undefined;
  readonly choices?: readonly (Choice | null)[];
  readonly groups?: readonly { readonly title: string; readonly choices: readonly Choice[] }[];
  /** Called with undefined for the empty value. */
  readonly onChoose: (value: string | undefined) => void;
}

export function Select({ value = '', choices = [], groups = [], onChoose, ...field }: SelectProps) {
  const options = (listed: readonly (Choice | null)[]) =>
    listed
      .filter((choice) => choice !== null)
      .map(([each, name, isOff = false]) => (
        <option key={each} value={each} disabled={isOff}>
          {name}
        </option>
      ));
  return (
    <Field {...field}>
      {(ids) => (
        <select {...ids} value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value || undefined)}>
          {options(choices)}
          {groups.map((group) => (
            <optgroup key={group.title} label={group.title}>
              {options(group.choices)}
            </optgroup>
          ))}
        </select>
      )}
    </Field>
  );
}

interface TextProps extends Labelled {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
}

interface TextFieldProps extends TextProps {
  readonly type?: 'date' | 'search';
  readonly pattern?: string;
  /** Explains the pattern. */
  readonly title?: string;
}

export function TextField({ label, hint, type, onChange, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => {
        const control = {
          autocomplete: 'off',
          ...ids,
          ...input,
          onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => onChange(currentTarget.value),
        } as const;
        if (type === 'date') return <input type="date" {...control} />;
        return type === 'search' ? <input type="search" {...control} /> : <input type="text" {...control} />;
      }}
    </Field>
  );
}

interface TextAreaProps extends TextProps {
  readonly rows: number;
}

export function TextArea({ label, hint, onChange, ...area }: TextAreaProps) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => <textarea {...ids} {...area} onInput={({ currentTarget }) => onChange(currentTarget.value)} />}
    </Field>
  );
}

interface NumberFieldProps extends Labelled {
  readonly value: number | undefined;
  readonly range: readonly [number, number];
  readonly step?: 'any';
  readonly onChange: (value: number | undefined) => void;
}

/** An optional number, committed on blur; the browser says what is out of range. */
export function NumberField({ label, hint, value, range: [least, most], step, onChange }: NumberFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <input
          {...ids}
          type="number"
          min={least}
          max={most}
          step={step}
          placeholder="default"
          value={value ?? ''}
          onChange={({ currentTarget: { value: typed } }) => onChange(typed === '' ? undefined : Number(typed))}
        />
      )}
    </Field>
  );
}

interface FormProps {
  readonly class?: string;
  readonly 'aria-label'?: string;
  readonly 'aria-labelledby'?: string;
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
}

export function Form({ onSubmit, ...form }: FormProps) {
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}
