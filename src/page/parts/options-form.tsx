import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { DEFAULT_KEY_POINTS, DEFAULT_MAX_WORDS, type Readiness } from '../../contract/index.ts';
import { NumberField, Select, TextField } from './fields.tsx';
import { useLoaded } from './loading.tsx';
import {
  asksModel,
  type DigestOptions,
  ENGINES,
  engineKindOf,
  leavesOf,
  optionName,
  sizeKindOf,
  strategyIn,
  withOptions,
} from './options.ts';
import { type SizeKind, STRATEGY_GROUPS } from './strategies.ts';
import { count } from './words.ts';

interface OptionsFormProps {
  readonly value: DigestOptions;
  readonly onChange: (options: DigestOptions) => void;
  /** Whether the form is open initially, and whenever this becomes true. */
  readonly isOpen: boolean;
  readonly label?: string;
  readonly children?: ComponentChildren;
}

/** The options of a digest. An untouched field is not sent, so the service's default applies; options without a field are kept. */
export function OptionsForm({ value, onChange, isOpen, label = 'Options', children }: OptionsFormProps) {
  const offer = useServiceOffer();
  const [isUnfolded, unfold] = useState(isOpen);
  const isChanged = leavesOf(value).length > 0;
  const fields = {
    value,
    offer,
    set: (changes: Changes, from = value) => onChange(withOptions(from, changes, offer ?? undefined)),
  };
  return (
    <details class="options" open={isOpen || isUnfolded} onToggle={({ currentTarget }) => unfold(currentTarget.open)}>
      <summary>
        {label}
        {isChanged && <span class="muted"> changed</span>}
      </summary>
      <div class="options-body">
        <div class="pair">
          <PlainFields {...fields} />
        </div>
        {children}
        <details>
          <summary>Expert: how key points are selected</summary>
          <div class="pair">
            <SelectionFields {...fields} />
          </div>
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

/** Null until known, or if the service does not report it. */
function useServiceOffer(): Readiness | null {
  const [loaded] = useLoaded('offer', async (signal) => {
    const response = await fetch('/readyz', { signal });
    if (!response.ok) throw new Error(`/readyz answered ${response.status}`);
    return (await response.json()) as Readiness; // the contract of /readyz
  });
  return loaded.state === 'there' ? loaded.value : null;
}

/** Values by the paths of their options; undefined restores the default. */
type Changes = Readonly<Record<string, unknown>>;

interface FieldsProps {
  readonly value: DigestOptions;
  readonly offer: Readiness | null;
  readonly set: (changes: Changes, from?: DigestOptions) => void;
}

const LENGTHS = { 100: 'Short', 250: 'Medium', 500: 'Long' } as const;
const WHO = { sentences: 'built in', compose: 'built in', llm: 'language model' } as const;
const NO_ENGINE = { 'engine.extractor': undefined, 'engine.writer': undefined };

function PlainFields({ value, offer, set }: FieldsProps) {
  const { format, maxWords } = value.summary ?? {};
  const { model = '' } = value.engine ?? {};
  const isBounded = format !== 'bullets' && value.selection?.preset !== 'published';
  const usual = isBounded ? `up to ${DEFAULT_MAX_WORDS[format ?? 'report']} words` : 'no limit';
  const isOwnLength = typeof maxWords === 'number' && !(maxWords in LENGTHS);
  const engine = engineKindOf(value);
  const hasNoModel = offer !== null && offer.languageModel === null;
  return (
    <>
      <Select
        label="Length"
        value={maxWords === null ? 'none' : maxWords?.toString()}
        choices={[
          ['', `Default: ${usual}`],
          ...Object.entries(LENGTHS).map(([words, name]) => [words, `${name}: up to ${words} words`] as const),
          isOwnLength ? [String(maxWords), `Up to ${count(maxWords, 'word')}`] : null,
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
        label="Who writes"
        value={engine}
        hint={hasNoModel ? 'This service has no language model.' : undefined}
        choices={[
          ['', `Default${offer === null ? '' : `: ${WHO[offer.writer]}`}`],
          ['embedded', 'Built in: the documents’ own words'],
          ['llm', 'Language model: its own words, checked', hasNoModel],
          engine === 'mixed' ? ['mixed', 'As requested, step by step'] : null,
        ]}
        onChoose={(chosen) => set(chosen === 'embedded' || chosen === 'llm' ? ENGINES[chosen] : NO_ENGINE)}
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

const SIZES: Readonly<Record<SizeKind, { readonly name: string; readonly start: unknown }>> = {
  auto: { name: 'As many as help', start: 'auto' },
  keyPoints: { name: 'A number of key points', start: { keyPoints: DEFAULT_KEY_POINTS } },
  words: { name: 'A number of words', start: { words: 200 } },
};

function SelectionFields({ value, offer, set }: FieldsProps) {
  const { preset, size, seed, relevance } = value.selection ?? {};
  const { encoder = '' } = value.engine ?? {};
  const encoders = [...new Set([...(offer?.encoders ?? []), ...(encoder === '' ? [] : [encoder])])];
  const strategy = strategyIn(value.selection);
  const kind = sizeKindOf(size);
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
        onChoose={(chosen) => set({ 'selection.preset': chosen }, { ...value, selection: undefined })}
      />
      <Select
        label="Encoder"
        hint="Decides which key points say the same."
        value={encoder}
        choices={[
          ['', `Default${offer === null ? '' : `: ${offer.encoder}`}`],
          ...encoders.map((name) => [name, name] as const),
        ]}
        onChoose={(chosen) => set({ 'engine.encoder': chosen })}
      />
      <Select
        label={optionName('selection.strategy')}
        value={value.selection?.strategy}
        hint={strategy.line}
        choices={[['', `Default: ${strategyIn({ preset }).title.toLowerCase()}`]]}
        groups={STRATEGY_GROUPS.map(({ title, strategies }) => ({
          title,
          choices: strategies.map(({ name, title, asksModel }) => {
            const isOff = asksModel && hasNoModel;
            return [name, `${title} (${name})${isOff ? ' – needs a language model' : ''}`, isOff];
          }),
        }))}
        onChoose={(chosen) => set({ 'selection.strategy': chosen })}
      />
      <Select
        label="Number of key points"
        value={kind}
        hint={strategy.sizes.length === 0 ? 'This strategy decides by itself.' : undefined}
        choices={[
          ['', `Default: as many as help${strategy.name === 'k-dpp' ? '' : `, up to ${DEFAULT_KEY_POINTS}`}`],
          ...strategy.sizes.map((kind) => [kind, SIZES[kind].name] as const),
        ]}
        onChoose={(chosen) => {
          const found = strategy.sizes.find((each) => each === chosen);
          set({ 'selection.size': found && SIZES[found].start });
        }}
      />
      {typeof size === 'object' && size !== null && kind !== undefined && (
        <NumberField
          label={kind === 'words' ? 'Words of the key points' : 'Key points'}
          value={'words' in size ? size.words : size.keyPoints}
          range={[1, kind === 'words' ? 100_000 : 1000]}
          onChange={(amount) =>
            set({ 'selection.size': amount === undefined ? SIZES[kind].start : { [kind]: amount } })
          }
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
