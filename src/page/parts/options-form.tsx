import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { DEFAULT_KEY_POINTS, DEFAULT_MAX_WORDS, type Readiness } from '../../contract/index.ts';
import { NumberField, Select, TextField } from './fields.tsx';
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
  /** Whether the form is open initially, and whenever this becomes true. */
  readonly isOpen: boolean;
  readonly label?: string;
  readonly children?: ComponentChildren;
}

const SHOWN =
  /^(?:selection\.(?:preset|strategy|size|seed|relevance\.weight)|summary\..+|engine\.(?:encoder|extractor|writer|model))$/;

/** The options of a digest. An untouched field is not sent, so the service's default applies. */
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

/** Null until known, or if the service does not report it. */
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
  const usual = isBounded ? `up to ${DEFAULT_MAX_WORDS[format ?? 'report']} words` : 'no limit';
  const isOwnLength = typeof maxWords === 'number' && LENGTHS.every(({ words }) => words !== maxWords);
  const engine = engineKindOf(value);
  const hasNoModel = offer !== null && offer.languageModel === null;
  const { encoder = '' } = value.engine ?? {};
  const encoderField = {
    label: optionName('engine.encoder'),
    hint: 'Decides which key points say the same.',
    value: encoder,
  };
  return (
    <>
      <Select
        label="Length"
        value={maxWords === null ? 'none' : maxWords?.toString()}
        choices={[
          ['', `Default: ${usual}`],
          ...LENGTHS.map(({ words, name }) => [String(words), `${name}: up to ${words} words`] as const),
          isOwnLength ? [String(maxWords), `Up to ${maxWords} words`] : null,
          ['none', 'No limit'],
        ]}
        onChoose={(chosen) => set({ 'summary.maxWords': chosen === 'none' ? null : chosen && Number(chosen) })}
      />
      <Select
        label={optionName('summary.format')}
        value={format}
        choices={[
          ['', 'Default: report'],
          ['report', 'Report: running text'],
          ['bullets', 'Bullets: one key point per line'],
          ['brief', 'Brief: three sentences'],
        ]}
        onChoose={(chosen) => set({ 'summary.format': chosen })}
      />
      <Select
        label="Engine"
        value={engine}
        hint={hasNoModel ? 'This service has no language model.' : undefined}
        choices={[
          ['', `Default${offer === null ? '' : `: ${WHO[offer.writer]}`}`],
          ['embedded', 'Embedded: the documents’ own words'],
          ['llm', 'Language model: its own words, checked', hasNoModel],
          engine === 'mixed' ? ['mixed', 'As set under Expert'] : null,
        ]}
        onChoose={(chosen) => set(chosen === 'embedded' || chosen === 'llm' ? ENGINES[chosen] : NO_ENGINE)}
      />
      {offer !== null && (encoder === '' || offer.encoders.includes(encoder)) ? (
        <Select
          {...encoderField}
          choices={[['', `Default: ${offer.encoder}`], ...offer.encoders.map((name) => [name, name] as const)]}
          onChoose={(chosen) => set({ 'engine.encoder': chosen })}
        />
      ) : (
        <TextField
          {...encoderField}
          placeholder="default"
          maxLength={200}
          onChange={(typed) => set({ 'engine.encoder': typed.trim() || undefined })}
        />
      )}
    </>
  );
}

const WHO = { sentences: 'embedded', compose: 'embedded', llm: 'language model' } as const;
const NO_ENGINE = { 'engine.extractor': undefined, 'engine.writer': undefined };
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
      <Select
        label={optionName('selection.preset')}
        value={preset}
        hint={preset === 'published' ? 'Selects exactly as the published paper does.' : 'Tuned for digests.'}
        choices={[
          ['', 'Default'],
          ['published', 'As published'],
        ]}
        // Options beside a preset would override it.
        onChoose={(chosen) =>
          onPreset(withOptions({ ...value, selection: undefined }, { 'selection.preset': chosen }, offer ?? undefined))
        }
      />
      <Select
        label={optionName('selection.strategy')}
        value={value.selection?.strategy}
        hint={strategy.line}
        choices={[['', `Default: ${strategyIn({ preset }).title.toLowerCase()}`]]}
        groups={STRATEGY_GROUPS.map(({ title, strategies }) => ({
          title,
          choices: strategies.map((each) => {
            const isOff = each.asksModel && hasNoModel;
            return [each.name, `${each.title} (${each.name})${isOff ? ' – needs a language model' : ''}`, isOff];
          }),
        }))}
        onChoose={(chosen) => set({ 'selection.strategy': chosen })}
      />
      <Select
        label={optionName('selection.size')}
        value={sizeKindOf(size)}
        hint={strategy.sizes.length === 0 ? 'This strategy decides by itself.' : undefined}
        choices={[
          ['', `Default: as many as help${strategy.name === 'k-dpp' ? '' : `, up to ${DEFAULT_KEY_POINTS}`}`],
          ...strategy.sizes.map((kind) => [kind, SIZES[kind].name] as const),
        ]}
        onChoose={(chosen) => {
          const kind = strategy.sizes.find((each) => each === chosen);
          set({ 'selection.size': kind && SIZES[kind].start });
        }}
      />
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

function EngineFields({ value, offer, set }: FieldsProps) {
  const { extractor, writer, model = '' } = value.engine ?? {};
  const hasNoModel = offer !== null && offer.languageModel === null;
  return (
    <>
      <Select
        label={optionName('engine.extractor')}
        value={extractor}
        choices={[
          ['', `Default${offer === null ? '' : `: ${WHO[offer.extractor]}`}`],
          ['sentences', 'Embedded: sentences as they stand'],
          ['llm', 'Language model', hasNoModel],
        ]}
        onChoose={(chosen) => set({ 'engine.extractor': chosen })}
      />
      <Select
        label={optionName('engine.writer')}
        value={writer}
        choices={[
          ['', `Default${offer === null ? '' : `: ${WHO[offer.writer]}`}`],
          ['compose', 'Embedded: the documents’ own words'],
          ['llm', 'Language model, checked sentence by sentence', hasNoModel],
        ]}
        onChoose={(chosen) => set({ 'engine.writer': chosen })}
      />
      {asksModel(value, offer ?? undefined) && (
        <TextField
          label="Name of the language model"
          value={model}
          maxLength={200}
          placeholder={offer?.languageModel?.model ? `default: ${offer.languageModel.model}` : 'default'}
          onChange={(typed) => set({ 'engine.model': typed.trim() || undefined })}
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
