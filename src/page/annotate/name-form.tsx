import { useEffect, useRef, useState } from 'preact/hooks';
import { LONGEST_NAME } from './protocol.ts';

interface NameProps {
  readonly set: string;
  readonly give: (name: string) => void;
}

/** Asks who annotates. */
export function NameForm({ set, give }: NameProps) {
  const [name, setName] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const trimmed = name.trim();
  return (
    <main class="ann-name">
      <h1>{set}</h1>
      <form
        class="panel"
        onSubmit={(event) => {
          event.preventDefault();
          if (trimmed !== '') give(trimmed);
        }}
      >
        <label>
          Your name
          <input
            ref={field}
            required
            maxLength={LONGEST_NAME}
            autocomplete="name"
            aria-describedby="ann-name-note"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <p id="ann-name-note" class="muted">
          It stands beside every decision. Give the same name again to go on where you stopped.
        </p>
        <button type="submit" class="primary">
          Start
        </button>
      </form>
    </main>
  );
}
