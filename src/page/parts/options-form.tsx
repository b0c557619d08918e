import { useId } from 'preact/hooks';
import { DEFAULT_KEY_POINTS, DEFAULT_MAX_WORDS, type Readiness } from '../../contract/index.ts';
import type { DigestOptions } from '../digest-options.ts';
import {
  asksModel,
  formatNamed,
  otherOptions,
  sizeKindOf,
  withEngine,
  withoutOthers,
  withPreset,
  withRelevanceWeight,
  withSelection,
  withSizeKind,
  withStrategy,
  withSummary,
} from './change-options.ts';
import { Choice } from './choice.tsx';
import { NumberField } from './number-field.tsx';
import { useServiceOffer } from './service-offer.ts';
import { type SizeKind, STRATEGY_GROUPS, strategyIn } from './strategies.ts';
import './options-form.css';

const SIZES: Readonly<Record<SizeKind, string>> = {
  auto: 'As many as help',
  keyPoints: 'This many key points',
  words: 'This many words',
};

interface FieldsProps extends OptionsProps {
  readonly offer: Readiness | null;
}

/** How key points are chosen, and how many. */
function SelectionFields({ value, onChange, offer }: FieldsProps) {
  const { preset, size } = value.selection ?? {};
  const strategy = strategyIn(value.selection);
  const kind = sizeKindOf(size);
  const hasNoModel = offer !== null && offer.languageModel === null;
  const isPublished = preset === 'published';
  return (
    <>
      <Choice
        label="Settings"
        value={preset ?? ''}
        onChoose={(chosen) =>
          onChange(withPreset(value, chosen === 'published' ? chosen : undefined, offer ?? undefined))
        }
        hint={isPublished ? 'The selection of the published paper, to the letter.' : 'Tuned for digests.'}
      >
        <option value="">Default</option>
        <option value="published">As published</option>
      </Choice>
      <Choice
        label="How points are chosen"
        value={value.selection?.strategy ?? ''}
        onChoose={(chosen) => onChange(withStrategy(value, named(chosen), offer ?? undefined))}
        hint={strategy.line}
      >
        <option value="">Default: {strategyIn({ preset }).title.toLowerCase()}</option>
        {STRATEGY_GROUPS.map(({ title, strategies }) => (
          <optgroup key={title} label={title}>
            {strategies.map(({ name, title, asksModel }) => (
              <option key={name} value={name} disabled={asksModel && hasNoModel}>
                {title} ({name}){asksModel && hasNoModel && ' – no model here'}
              </option>
            ))}
          </optgroup>
        ))}
      </Choice>
      {strategy.sizes.length === 0 ? (
        <div class="options-field">
          <p class="options-label">How many points</p>
          <p class="muted">This way of choosing decides by itself.</p>
        </div>
      ) : (
        <Choice
          label="How many points"
          value={kind ?? ''}
          onChoose={(chosen) =>
            onChange(
              withSizeKind(
                value,
                strategy.sizes.find((each) => each === chosen),
              ),
            )
          }
        >
          <option value="">
            Default:{' '}
            {strategy.name === 'k-dpp' ? 'as many as it is worth' : `as many as help, at most ${DEFAULT_KEY_POINTS}`}
          </option>
          {strategy.sizes.map((each) => (
            <option key={each} value={each}>
              {each === 'auto' && strategy.name === 'k-dpp' ? 'As many as it is worth' : SIZES[each]}
            </option>
          ))}
        </Choice>
      )}
      {typeof size === 'object' && 'keyPoints' in size && (
        <NumberField
          label="Key points"
          value={size.keyPoints}
          onChange={(keyPoints) =>
            onChange(withSelection(value, { size: { keyPoints: keyPoints ?? DEFAULT_KEY_POINTS } }))
          }
          least={1}
          most={1000}
          step={1}
          placeholder={String(DEFAULT_KEY_POINTS)}
        />
      )}
      {typeof size === 'object' && 'words' in size && (
        <NumberField
          label="Words of the points"
          value={size.words}
          onChange={(words) => onChange(withSelection(value, { size: { words: words ?? 200 } }))}
          least={1}
          most={100_000}
          step={1}
          placeholder="200"
        />
      )}
    </>
  );
}

/** What every way of choosing does, in a line each. */
function Ways() {
  return (
    <details class="options-ways">
      <summary>What each way does</summary>
      <dl>
        {STRATEGY_GROUPS.flatMap(({ strategies }) => strategies).map(({ name, title, line }) => (
          <div key={name}>
            <dt>
              {title} <code>{name}</code>
            </dt>
            <dd>{line}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** How much relevance counts, and what a draw begins with. */
function SeedAndWeight({ value, onChange }: OptionsProps) {
  return (
    <>
      <NumberField
        label="Weight of relevance"
        value={value.selection?.relevance?.weight}
        onChange={(weight) => onChange(withRelevanceWeight(value, weight))}
        least={0}
        most={0.99}
        step={0.05}
        hint="0: only difference counts. Near 1: only the question does."
      />
      {strategyIn(value.selection).isSampled && (
        <NumberField
          label="Seed"
          value={value.selection?.seed}
          onChange={(seed) => onChange(withSelection(value, { seed }))}
          least={0}
          most={Number.MAX_SAFE_INTEGER}
          step={1}
          hint="The same seed draws the same points again."
        />
      )}
    </>
  );
}

function named(chosen: string) {
  return STRATEGY_GROUPS.flatMap(({ strategies }) => strategies).find(({ name }) => name === chosen)?.name;
}

/** What does the work: the encoder, what finds key points, what writes, and the language model where one is asked. */
function EngineFields({ value, onChange, offer }: OptionsProps & { readonly offer: Readiness | null }) {
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
  readonly offer: Readiness | null;
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

/** What fields of options are given: the options, and who is told of changed ones. */
interface OptionsProps {
  readonly value: DigestOptions;
  readonly onChange: (options: DigestOptions) => void;
}

/** How a digest is made: what is left alone is the service's default, and is not sent. */
export function OptionsForm({ value, onChange, legend }: OptionsProps & { readonly legend: string }) {
  const offer = useServiceOffer();
  const others = otherOptions(value);
  return (
    <fieldset class="options">
      <legend>{legend}</legend>
      <div class="options-fields">
        <SelectionFields value={value} onChange={onChange} offer={offer} />
        <SummaryFields value={value} onChange={onChange} />
      </div>
      <Ways />
      <details class="options-more">
        <summary>More options</summary>
        <div class="options-fields">
          <SeedAndWeight value={value} onChange={onChange} />
          <EngineFields value={value} onChange={onChange} offer={offer} />
        </div>
      </details>
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
            Take these off
          </button>
        </div>
      )}
      {Object.keys(value).length > 0 && (
        <button type="button" class="plain" onClick={() => onChange({})}>
          Back to the defaults
        </button>
      )}
    </fieldset>
  );
}

/** What the text looks like, and how long it may be. */
function SummaryFields({ value, onChange }: OptionsProps) {
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
