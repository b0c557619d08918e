import { useId } from 'preact/hooks';
import { asksModel, withEngine } from './change-options.ts';
import { Choice } from './choice.tsx';
import type { OptionsProps } from './options-form.tsx';
import type { ServiceOffer } from './service-offer.ts';

/** What does the work: the encoder, what finds key points, what writes, and the language model where one is asked. */
export function EngineFields({ value, onChange, offer }: OptionsProps & { readonly offer: ServiceOffer | null }) {
  const { encoder, extractor, writer, model } = value.engine ?? {};
  const hasNoModel = offer !== null && offer.languageModel === null;
  const change = (part: Parameters<typeof withEngine>[1]) => onChange(withEngine(value, part, offer ?? undefined));
  return (
    <>
      <EncoderField value={encoder} onChange={(named) => change({ encoder: named })} offer={offer} />
      <Choice
        label="Key points found by"
        value={extractor ?? ''}
        onChoose={(chosen) => change({ extractor: chosen === 'sentences' || chosen === 'llm' ? chosen : undefined })}
        hint={hasNoModel ? 'This service has no language model.' : undefined}
      >
        <option value="">Default{offer !== null && `: ${WHO[offer.extractor]}`}</option>
        <option value="sentences">Embedded: sentences as they stand</option>
        <option value="llm" disabled={hasNoModel}>
          Language model
        </option>
      </Choice>
      <Choice
        label="Text written by"
        value={writer ?? ''}
        onChoose={(chosen) => change({ writer: chosen === 'compose' || chosen === 'llm' ? chosen : undefined })}
      >
        <option value="">Default{offer !== null && `: ${WHO[offer.writer]}`}</option>
        <option value="compose">Embedded: the sources' own wording</option>
        <option value="llm" disabled={hasNoModel}>
          Language model, checked sentence by sentence
        </option>
      </Choice>
      {asksModel(value, offer ?? undefined) && (
        <div class="options-field">
          <label>
            Language model
            <input
              type="text"
              autocomplete="off"
              spellcheck={false}
              maxLength={200}
              placeholder={offer?.languageModel?.model ? `default: ${offer.languageModel.model}` : 'default'}
              value={model ?? ''}
              onInput={({ currentTarget }) => change({ model: currentTarget.value.trim() || undefined })}
            />
          </label>
        </div>
      )}
    </>
  );
}

const WHO = { sentences: 'embedded', compose: 'embedded', llm: 'language model' } as const;

interface EncoderFieldProps {
  readonly value: string | undefined;
  readonly onChange: (encoder: string | undefined) => void;
  readonly offer: ServiceOffer | null;
}

/** From the service's list where it is known, and typed where it is not. */
function EncoderField({ value, onChange, offer }: EncoderFieldProps) {
  const hint = useId();
  const explained = 'What tells whether two points say the same.';
  if (offer !== null && (value === undefined || offer.encoders.includes(value))) {
    return (
      <Choice label="Encoder" value={value ?? ''} onChoose={(chosen) => onChange(chosen || undefined)} hint={explained}>
        <option value="">Default: {offer.encoder}</option>
        {offer.encoders.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Choice>
    );
  }
  return (
    <div class="options-field">
      <label>
        Encoder
        <input
          type="text"
          autocomplete="off"
          spellcheck={false}
          maxLength={200}
          placeholder="default"
          value={value ?? ''}
          aria-describedby={hint}
          onInput={({ currentTarget }) => onChange(currentTarget.value.trim() || undefined)}
        />
      </label>
      <p id={hint} class="muted">
        {explained}
      </p>
    </div>
  );
}
