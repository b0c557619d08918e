import { DEFAULT_MAX_WORDS, formatNamed, withSummary } from './change-options.ts';
import { Choice } from './choice.tsx';
import { NumberField } from './number-field.tsx';
import type { OptionsProps } from './options-form.tsx';

/** What the text looks like, and how long it may be. */
export function SummaryFields({ value, onChange }: OptionsProps) {
  const { format, maxWords } = value.summary ?? {};
  const isBounded = format !== 'bullets' && value.selection?.preset !== 'published';
  const usual = DEFAULT_MAX_WORDS[format ?? 'report'];
  const bound = maxWords === undefined ? '' : maxWords === null ? 'none' : 'most';
  return (
    <>
      <Choice
        label="Format"
        value={format ?? ''}
        onChoose={(chosen) => onChange(withSummary(value, { format: formatNamed(chosen) }))}
      >
        <option value="">Default: running text</option>
        <option value="report">Running text</option>
        <option value="bullets">Bullets</option>
        <option value="brief">Brief: three sentences</option>
      </Choice>
      <Choice
        label="Length of the text"
        value={bound}
        onChoose={(chosen) =>
          onChange(
            withSummary(value, {
              maxWords: chosen === 'most' ? usual : chosen === 'none' ? null : undefined,
            }),
          )
        }
      >
        <option value="">Default: {isBounded ? `${usual} words` : 'no limit'}</option>
        <option value="most">At most so many words</option>
        <option value="none">No limit</option>
      </Choice>
      {typeof maxWords === 'number' && (
        <NumberField
          label="Most words"
          value={maxWords}
          onChange={(words) => onChange(withSummary(value, { maxWords: words ?? usual }))}
          least={1}
          most={100_000}
          step={1}
          placeholder={String(usual)}
        />
      )}
    </>
  );
}
