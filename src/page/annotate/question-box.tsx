import type { Answer, Field } from './protocol.ts';
import { QUESTIONS } from './questions.ts';

interface QuestionProps {
  readonly field: Field;
  readonly answer: Answer | null;
  readonly decide: (value: Answer) => void;
  /** Whether keys answer too. */
  readonly hasKeys: boolean;
}

/** A question with its answers, the one that was given pressed. */
export function QuestionBox({ field, answer, decide, hasKeys }: QuestionProps) {
  const { text, choices } = QUESTIONS[field];
  return (
    <fieldset class="ann-question">
      <legend>{text}</legend>
      <div class="ann-choices">
        {choices.map(({ value, name, keys }) => (
          <button
            key={value}
            type="button"
            aria-pressed={answer === value}
            aria-keyshortcuts={hasKeys ? keys.join(' ') : undefined}
            onClick={() => decide(value)}
          >
            {name}
            {hasKeys && (
              <span class="ann-key" aria-hidden="true">
                {keys[0]}
              </span>
            )}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
