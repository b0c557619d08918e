import { DEFAULT_MAX_WORDS, withSummary } from './change-options.ts';
import { Choice } from './choice.tsx';
import { NumberField } from './number-field.tsx';
import type { OptionsProps } from './options-form.tsx';

/** What the text looks like, and how long it may be. */
export function SummaryFields({ value, onChange }: OptionsProps) {
  const { format, maxWords } = value.summary ?? {};
  const isBounded = format !== 'bullets' && value.selection?.preset !== 'published';
  const bound = maxWords === undefined ? '' : maxWords === null ? 'none' : 'most';
  return (
    <>
      <Choice
        label="Format"
        value={format ?? ''}
        onChoose={(chosen) =>
          onChange(withSummary(value, { format: chosen === 'report' || chosen === 'bullets' ? chosen : undefined }))
        }
      >
        <option value="">Default: running text</option>
        <option value="report">Running text</option>
        <option value="bullets">Bullets</option>
      </Choice>
      <Choice
        label="Length of the text"
        value={bound}
        onChoose={(chosen) =>
          onChange(
            withSummary(value, {
              maxWords: chosen === 'most' ? DEFAULT_MAX_WORDS : chosen === 'none' ? null : undefined,
            }),
          )
        }
      >
        <option value="">Default: {isBounded ? `${DEFAULT_MAX_WORDS} words` : 'no limit'}</option>
        <option value="most">At most so many words</option>
        <option value="none">No limit</option>
      </Choice>
      {typeof maxWords === 'number' && (
        <NumberField
          label="Most words"
          value={maxWords}
          onChange={(words) => onChange(withSummary(value, { maxWords: words ?? DEFAULT_MAX_WORDS }))}
          least={1}
          most={100_000}
          step={1}
          placeholder={String(DEFAULT_MAX_WORDS)}
        />
      )}
    </>
  );
}
