import { DEFAULT_KEY_POINTS, type Readiness } from '../../contract/index.ts';
import type { DigestOptions } from '../digest-options.ts';
import {
  asksModel,
  sizeKindOf,
  withEngine,
  withPreset,
  withRelevanceWeight,
  withSelection,
  withSizeKind,
  withStrategy,
} from './change-options.ts';
import { Choice } from './choice.tsx';
import { NumberField } from './number-field.tsx';
import { type SizeKind, STRATEGY_GROUPS, strategyIn } from './strategies.ts';

interface ExpertOptionsProps {
  readonly value: DigestOptions;
  readonly onChange: (options: DigestOptions) => void;
  readonly offer: Readiness | null;
}

/** Which key points are selected and how many, and what does each step. */
export function ExpertOptions(props: ExpertOptionsProps) {
  return (
    <>
      <div class="options-fields">
        <StrategyFields {...props} />
        <SizeFields {...props} />
        <SeedAndWeight {...props} />
        <EngineFields {...props} />
      </div>
      <Strategies />
    </>
  );
}

function StrategyFields({ value, onChange, offer }: ExpertOptionsProps) {
  const { preset } = value.selection ?? {};
  const hasNoModel = offer !== null && offer.languageModel === null;
  return (
    <>
      <Choice
        label="Preset"
        value={preset ?? ''}
        onChoose={(chosen) =>
          onChange(withPreset(value, chosen === 'published' ? chosen : undefined, offer ?? undefined))
        }
        hint={preset === 'published' ? 'Selects exactly as the published paper does.' : 'Tuned for digests.'}
      >
        <option value="">Default</option>
        <option value="published">As published</option>
      </Choice>
      <Choice
        label="Strategy"
        value={value.selection?.strategy ?? ''}
        onChoose={(chosen) => onChange(withStrategy(value, strategyNamed(chosen), offer ?? undefined))}
        hint={strategyIn(value.selection).line}
      >
        <option value="">Default: {strategyIn({ preset }).title.toLowerCase()}</option>
        {STRATEGY_GROUPS.map(({ title, strategies }) => (
          <optgroup key={title} label={title}>
            {strategies.map(({ name, title, asksModel }) => (
              <option key={name} value={name} disabled={asksModel && hasNoModel}>
                {title} ({name}){asksModel && hasNoModel && ' – needs a language model'}
              </option>
            ))}
          </optgroup>
        ))}
      </Choice>
    </>
  );
}

function strategyNamed(chosen: string) {
  return STRATEGY_GROUPS.flatMap(({ strategies }) => strategies).find(({ name }) => name === chosen)?.name;
}

const SIZES: Readonly<Record<SizeKind, string>> = {
  auto: 'As many as help',
  keyPoints: 'A number of key points',
  words: 'A number of words',
};

function SizeFields({ value, onChange }: ExpertOptionsProps) {
  const { size } = value.selection ?? {};
  const strategy = strategyIn(value.selection);
  if (strategy.sizes.length === 0) {
    return (
      <div class="options-field">
        <p class="options-label">Number of key points</p>
        <p class="muted">This strategy decides by itself.</p>
      </div>
    );
  }
  return (
    <>
      <Choice
        label="Number of key points"
        value={sizeKindOf(size) ?? ''}
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
          Default: {strategy.name === 'k-dpp' ? 'as many as help' : `as many as help, up to ${DEFAULT_KEY_POINTS}`}
        </option>
        {strategy.sizes.map((each) => (
          <option key={each} value={each}>
            {SIZES[each]}
          </option>
        ))}
      </Choice>
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
          label="Words of the key points"
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

/** How much relevance counts, and what a draw begins with. */
function SeedAndWeight({ value, onChange }: ExpertOptionsProps) {
  return (
    <>
      <NumberField
        label="Weight of relevance"
        value={value.selection?.relevance?.weight}
        onChange={(weight) => onChange(withRelevanceWeight(value, weight))}
        least={0}
        most={0.99}
        step={0.05}
        hint="0: only variety counts. Near 1: only the question counts."
      />
      {strategyIn(value.selection).isSampled && (
        <NumberField
          label="Seed"
          value={value.selection?.seed}
          onChange={(seed) => onChange(withSelection(value, { seed }))}
          least={0}
          most={Number.MAX_SAFE_INTEGER}
          step={1}
          hint="The same seed selects the same key points again."
        />
      )}
    </>
  );
}

const WHO = { sentences: 'embedded', compose: 'embedded', llm: 'language model' } as const;

/** What finds key points, what writes, and which language model is asked where one is. */
function EngineFields({ value, onChange, offer }: ExpertOptionsProps) {
  const { extractor, writer, model } = value.engine ?? {};
  const hasNoModel = offer !== null && offer.languageModel === null;
  const change = (part: Parameters<typeof withEngine>[1]) => onChange(withEngine(value, part, offer ?? undefined));
  return (
    <>
      <Choice
        label="Key points found by"
        value={extractor ?? ''}
        onChoose={(chosen) => change({ extractor: chosen === 'sentences' || chosen === 'llm' ? chosen : undefined })}
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
        <option value="compose">Embedded: the documents’ own words</option>
        <option value="llm" disabled={hasNoModel}>
          Language model, checked sentence by sentence
        </option>
      </Choice>
      {asksModel(value, offer ?? undefined) && (
        <div class="options-field">
          <label>
            Name of the language model
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

/** What every strategy does, in a line each. */
function Strategies() {
  return (
    <details class="options-ways">
      <summary>What each strategy does</summary>
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
