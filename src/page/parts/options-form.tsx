import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { DEFAULT_MAX_WORDS, type Readiness } from '../../contract/index.ts';
import type { DigestOptions } from '../digest-options.ts';
import {
  engineKindOf,
  formatNamed,
  otherOptions,
  withEngine,
  withEngineKind,
  withoutOthers,
  withSummary,
} from './change-options.ts';
import { Choice } from './choice.tsx';
import { EncoderField } from './encoder-field.tsx';
import { ExpertOptions } from './expert-options.tsx';
import { useServiceOffer } from './service-offer.ts';
import './options-form.css';

interface OptionsFormProps {
  readonly value: DigestOptions;
  readonly onChange: (options: DigestOptions) => void;
  /** Whether they are unfolded to begin with, and whenever this becomes true. */
  readonly isOpen: boolean;
  /** Whose options they are, where there are several on the page. */
  readonly label?: string;
  /** Fields that stand beside the options. */
  readonly children?: ComponentChildren;
}

/** How a digest is made: what is left alone is the service's default, and is not sent. */
export function OptionsForm({ value, onChange, isOpen, label = 'Options', children }: OptionsFormProps) {
  const offer = useServiceOffer();
  const [isUnfolded, unfold] = useState(isOpen);
  const others = otherOptions(value);
  const isChanged = Object.keys(value).length > 0;
  return (
    <details class="options" open={isOpen || isUnfolded} onToggle={({ currentTarget }) => unfold(currentTarget.open)}>
      <summary>
        {label}
        {isChanged && <span class="muted"> changed</span>}
      </summary>
      <div class="options-body">
        <div class="options-fields">
          <PlainOptions value={value} onChange={onChange} offer={offer} />
        </div>
        {children}
        <details class="options-expert">
          <summary>Expert: how key points are selected</summary>
          <ExpertOptions value={value} onChange={onChange} offer={offer} />
          {others.length > 0 && (
            <div class="options-others">
              <p>Also set:</p>
              <ul>
                {others.map((each) => (
                  <li key={each.name}>
                    <code>
                      {each.name} = {each.value}
                    </code>
                  </li>
                ))}
              </ul>
              <button type="button" class="plain" onClick={() => onChange(withoutOthers(value))}>
                Remove these
              </button>
            </div>
          )}
        </details>
        {isChanged && (
          <button type="button" class="plain" onClick={() => onChange({})}>
            Reset to the defaults
          </button>
        )}
      </div>
    </details>
  );
}

/** Lengths that have a name, in words. */
const LENGTHS = [
  { words: 100, name: 'Short' },
  { words: 250, name: 'Medium' },
  { words: 500, name: 'Long' },
];

interface PlainOptionsProps {
  readonly value: DigestOptions;
  readonly onChange: (options: DigestOptions) => void;
  readonly offer: Readiness | null;
}

/** What the text looks like, and what makes it. */
function PlainOptions({ value, onChange, offer }: PlainOptionsProps) {
  const { format, maxWords } = value.summary ?? {};
  const isBounded = format !== 'bullets' && value.selection?.preset !== 'published';
  const usual = DEFAULT_MAX_WORDS[format ?? 'report'];
  const engine = engineKindOf(value);
  const hasNoModel = offer !== null && offer.languageModel === null;
  const isOwnLength = typeof maxWords === 'number' && LENGTHS.every(({ words }) => words !== maxWords);
  return (
    <>
      <Choice
        label="Length"
        value={maxWords === undefined ? '' : maxWords === null ? 'none' : String(maxWords)}
        onChoose={(chosen) =>
          onChange(
            withSummary(value, { maxWords: chosen === '' ? undefined : chosen === 'none' ? null : Number(chosen) }),
          )
        }
      >
        <option value="">Default: {isBounded ? `up to ${usual} words` : 'no limit'}</option>
        {LENGTHS.map(({ words, name }) => (
          <option key={words} value={words}>
            {name}: up to {words} words
          </option>
        ))}
        {isOwnLength && <option value={maxWords}>Up to {maxWords} words</option>}
        <option value="none">No limit</option>
      </Choice>
      <Choice
        label="Format"
        value={format ?? ''}
        onChoose={(chosen) => onChange(withSummary(value, { format: formatNamed(chosen) }))}
      >
        <option value="">Default: report</option>
        <option value="report">Report: running text</option>
        <option value="bullets">Bullets: one key point per line</option>
        <option value="brief">Brief: three sentences</option>
      </Choice>
      <Choice
        label="Engine"
        value={engine ?? ''}
        onChoose={(chosen) =>
          onChange(
            withEngineKind(value, chosen === 'embedded' || chosen === 'llm' ? chosen : undefined, offer ?? undefined),
          )
        }
        hint={hasNoModel ? 'This service has no language model.' : undefined}
      >
        <option value="">
          Default{offer !== null && (offer.writer === 'llm' ? ': language model' : ': embedded')}
        </option>
        <option value="embedded">Embedded: the documents’ own words</option>
        <option value="llm" disabled={hasNoModel}>
          Language model: its own words, checked
        </option>
        {engine === 'mixed' && <option value="mixed">As set under Expert</option>}
      </Choice>
      <EncoderField
        value={value.engine?.encoder}
        onChange={(encoder) => onChange(withEngine(value, { encoder }, offer ?? undefined))}
        offer={offer}
      />
    </>
  );
}
