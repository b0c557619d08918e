import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { DEFAULT_KEY_POINTS, DEFAULT_MAX_WORDS, type Readiness } from '../../contract/index.ts';
import { Choice, NumberField, TextField } from './fields.tsx';
import { useLoaded } from './loading.tsx';
import {
  asksModel,
  type DigestOptions,
  describeOption,
  ENGINES,
  engineKindOf,
  leavesOf,
  optionName,
  optionsFrom,
  type SizeKind,
  STRATEGIES,
  STRATEGY_GROUPS,
  sizeKindOf,
  strategyIn,
  withOptions,
} from './options.ts';

interface OptionsFormProps {
  readonly value: DigestOptions;
  readonly onChange: (options: DigestOptions) => void;
  /** Whether the form is unfolded at first, and whenever this becomes true. */
  readonly isOpen: boolean;
  /** Name of the form, if there are several on the page. */
  readonly label?: string;
  /** Further fields between the plain options and the expert ones. */
  readonly children?: ComponentChildren;
}

/** Options that have a field. */
const SHOWN =
  /^(?:selection\.(?:preset|strategy|size|seed|relevance\.weight)|summary\..+|engine\.(?:encoder|extractor|writer|model))$/;

/** The options of a digest. A field that is left alone is the service's default, and is not sent. */
export function OptionsForm({ value, onChange, isOpen, label = 'Options', children }: OptionsFormProps) {
  const offer = useServiceOffer();
  const [isUnfolded, unfold] = useState(isOpen);
  const leaves = leavesOf(value);
  const others = leaves.filter(([path]) => !SHOWN.test(path));
  const fields = { value, offer, set: (changes: Changes) => onChange(withOptions(value, changes, offer ?? undefined)) };
  return (
    <details class="options" open={isOpen || isUnfolded} onToggle={({ currentTarget }) => unfold(currentTarget.open)}>
      <summary>
        {label}
        {leaves.length > 0 && <span class="muted"> changed</span>}
      </summary>
      <div class="options-body">
        <div class="options-fields">
          <PlainFields {...fields} />
        </div>
        {children}
        <details class="options-expert">
          <summary>Expert: how key points are selected</summary>
          <div class="options-fields">
            <SelectionFields {...fields} onPreset={onChange} />
            <EngineFields {...fields} />
          </div>
          <StrategyLines />
          {others.length > 0 && (
            <div class="options-others">
              <p>Also set:</p>
              <ul>
                {others.map(([path, each]) => (
                  <li key={path}>
                    <code>{`${path} = ${describeOption(each)}`}</code>
                  </li>
                ))}
              </ul>
              <button
                type="button"
                class="plain"
                onClick={() => onChange(optionsFrom(leaves.filter(([path]) => SHOWN.test(path))))}
              >
                Remove these
              </button>
            </div>
          )}
        </details>
        {leaves.length > 0 && (
          <button type="button" class="plain" onClick={() => onChange({})}>
            Reset to the defaults
          </button>
        )}
      </div>
    </details>
  );
}

let offered: Promise<Readiness> | null = null;

/** What the service offers; null until that is known, or if it does not say. */
function useServiceOffer(): Readiness | null {
  const [loaded] = useLoaded('offer', () => {
    offered ??= fetch('/readyz').then(async (response) => {
      if (!response.ok) throw new Error(`/readyz answered ${response.status}`);
      return (await response.json()) as Readiness; // the contract of /readyz
    });
    offered.catch(() => {
      offered = null;
    });
    return offered;
  });
  return loaded.state === 'there' ? loaded.value : null;
}

/** Values by the paths of their options; undefined restores the default. */
type Changes = Readonly<Record<string, unknown>>;

interface FieldsProps {
  readonly value: DigestOptions;
  readonly offer: Readiness | null;
  readonly set: (changes: Changes) => void;
}

const LENGTHS = [
  { words: 100, name: 'Short' },
  { words: 250, name: 'Medium' },
  { words: 500, name: 'Long' },
];

function PlainFields({ value, offer, set }: FieldsProps) {
  const { format, maxWords } = value.summary ?? {};
  const isBounded = format !== 'bullets' && value.selection?.preset !== 'published';
  const engine = engineKindOf(value);
  const hasNoModel = offer !== null && offer.languageModel === null;
  const { encoder } = value.engine ?? {};
  const encoderHint = 'Decides which key points say the same.';
  return (
    <>
      <Choice
        label="Length"
        value={maxWords === null ? 'none' : maxWords?.toString()}
        unset={`Default: ${isBounded ? `up to ${DEFAULT_MAX_WORDS[format ?? 'report']} words` : 'no limit'}`}
        onChoose={(chosen) =>
          set({ 'summary.maxWords': chosen === 'none' ? null : chosen === undefined ? undefined : Number(chosen) })
        }
      >
        {LENGTHS.map(({ words, name }) => (
          <option key={words} value={words}>
            {name}: up to {words} words
          </option>
        ))}
        {typeof maxWords === 'number' && LENGTHS.every(({ words }) => words !== maxWords) && (
          <option value={maxWords}>Up to {maxWords} words</option>
        )}
        <option value="none">No limit</option>
      </Choice>
      <Choice
        label={optionName('summary.format')}
        value={format}
        unset="Default: report"
        onChoose={(chosen) => set({ 'summary.format': chosen })}
      >
        <option value="report">Report: running text</option>
        <option value="bullets">Bullets: one key point per line</option>
        <option value="brief">Brief: three sentences</option>
      </Choice>
      <Choice
        label="Engine"
        value={engine}
        unset={`Default${offer === null ? '' : offer.writer === 'llm' ? ': language model' : ': embedded'}`}
        hint={hasNoModel ? 'This service has no language model.' : undefined}
        onChoose={(chosen) =>
          set(
            chosen === 'embedded' || chosen === 'llm'
              ? ENGINES[chosen]
              : { 'engine.extractor': undefined, 'engine.writer': undefined },
          )
        }
      >
        <option value="embedded">Embedded: the documents’ own words</option>
        <option value="llm" disabled={hasNoModel}>
          Language model: its own words, checked
        </option>
        {engine === 'mixed' && <option value="mixed">As set under Expert</option>}
      </Choice>
      {offer !== null && (encoder === undefined || offer.encoders.includes(encoder)) ? (
        <Choice
          label={optionName('engine.encoder')}
          value={encoder}
          unset={`Default: ${offer.encoder}`}
          hint={encoderHint}
          onChoose={(chosen) => set({ 'engine.encoder': chosen })}
        >
          {offer.encoders.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Choice>
      ) : (
        <TextField
          label={optionName('engine.encoder')}
          value={encoder}
          hint={encoderHint}
          onChange={(typed) => set({ 'engine.encoder': typed })}
        />
      )}
    </>
  );
}

const SIZES: Readonly<Record<SizeKind, { readonly name: string; readonly start: unknown }>> = {
  auto: { name: 'As many as help', start: 'auto' },
  keyPoints: { name: 'A number of key points', start: { keyPoints: DEFAULT_KEY_POINTS } },
  words: { name: 'A number of words', start: { words: 200 } },
};

interface SelectionFieldsProps extends FieldsProps {
  readonly onPreset: (options: DigestOptions) => void;
}

function SelectionFields({ value, offer, set, onPreset }: SelectionFieldsProps) {
  const { preset, size, seed, relevance } = value.selection ?? {};
  const strategy = strategyIn(value.selection);
  const hasNoModel = offer !== null && offer.languageModel === null;
  return (
    <>
      <Choice
        label={optionName('selection.preset')}
        value={preset}
        unset="Default"
        hint={preset === 'published' ? 'Selects exactly as the published paper does.' : 'Tuned for digests.'}
        // Options that are set beside a preset would win over it.
        onChoose={(chosen) =>
          onPreset(withOptions({ ...value, selection: undefined }, { 'selection.preset': chosen }, offer ?? undefined))
        }
      >
        <option value="published">As published</option>
      </Choice>
      <Choice
        label={optionName('selection.strategy')}
        value={value.selection?.strategy}
        unset={`Default: ${strategyIn({ preset }).title.toLowerCase()}`}
        hint={strategy.line}
        onChoose={(chosen) => set({ 'selection.strategy': chosen })}
      >
        {STRATEGY_GROUPS.map(({ title, strategies }) => (
          <optgroup key={title} label={title}>
            {strategies.map((each) => (
              <option key={each.name} value={each.name} disabled={each.asksModel && hasNoModel}>
                {each.title} ({each.name}){each.asksModel && hasNoModel && ' – needs a language model'}
              </option>
            ))}
          </optgroup>
        ))}
      </Choice>
      {strategy.sizes.length === 0 ? (
        <div class="options-field">
          <p class="options-label">{optionName('selection.size')}</p>
          <p class="muted">This strategy decides by itself.</p>
        </div>
      ) : (
        <Choice
          label={optionName('selection.size')}
          value={sizeKindOf(size)}
          unset={`Default: as many as help${strategy.name === 'k-dpp' ? '' : `, up to ${DEFAULT_KEY_POINTS}`}`}
          onChoose={(chosen) => {
            const kind = strategy.sizes.find((each) => each === chosen);
            set({ 'selection.size': kind && SIZES[kind].start });
          }}
        >
          {strategy.sizes.map((kind) => (
            <option key={kind} value={kind}>
              {SIZES[kind].name}
            </option>
          ))}
        </Choice>
      )}
      {typeof size === 'object' && 'keyPoints' in size && (
        <NumberField
          label="Key points"
          value={size.keyPoints}
          range={[1, 1000]}
          onChange={(keyPoints = DEFAULT_KEY_POINTS) => set({ 'selection.size': { keyPoints } })}
        />
      )}
      {typeof size === 'object' && 'words' in size && (
        <NumberField
          label="Words of the key points"
          value={size.words}
          range={[1, 100_000]}
          onChange={(words = 200) => set({ 'selection.size': { words } })}
        />
      )}
      <NumberField
        label={optionName('selection.relevance.weight')}
        value={relevance?.weight}
        range={[0, 0.99]}
        step="any"
        hint="0: only variety counts. Near 1: only the question counts."
        onChange={(weight) => set({ 'selection.relevance.weight': weight })}
      />
      {strategy.isSampled && (
        <NumberField
          label={optionName('selection.seed')}
          value={seed}
          range={[0, Number.MAX_SAFE_INTEGER]}
          hint="The same seed selects the same key points again."
          onChange={(chosen) => set({ 'selection.seed': chosen })}
        />
      )}
    </>
  );
}

const WHO = { sentences: 'embedded', compose: 'embedded', llm: 'language model' } as const;

/** What finds the key points, what writes, and which language model is asked. */
function EngineFields({ value, offer, set }: FieldsProps) {
  const { extractor, writer, model } = value.engine ?? {};
  const hasNoModel = offer !== null && offer.languageModel === null;
  return (
    <>
      <Choice
        label={optionName('engine.extractor')}
        value={extractor}
        unset={`Default${offer === null ? '' : `: ${WHO[offer.extractor]}`}`}
        onChoose={(chosen) => set({ 'engine.extractor': chosen })}
      >
        <option value="sentences">Embedded: sentences as they stand</option>
        <option value="llm" disabled={hasNoModel}>
          Language model
        </option>
      </Choice>
      <Choice
        label={optionName('engine.writer')}
        value={writer}
        unset={`Default${offer === null ? '' : `: ${WHO[offer.writer]}`}`}
        onChoose={(chosen) => set({ 'engine.writer': chosen })}
      >
        <option value="compose">Embedded: the documents’ own words</option>
        <option value="llm" disabled={hasNoModel}>
          Language model, checked sentence by sentence
        </option>
      </Choice>
      {asksModel(value, offer ?? undefined) && (
        <TextField
          label="Name of the language model"
          value={model}
          placeholder={offer?.languageModel?.model ? `default: ${offer.languageModel.model}` : 'default'}
          onChange={(typed) => set({ 'engine.model': typed })}
        />
      )}
    </>
  );
}

function StrategyLines() {
  return (
    <details class="options-ways">
      <summary>What each strategy does</summary>
      <dl>
        {STRATEGIES.map(({ name, title, line }) => (
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
