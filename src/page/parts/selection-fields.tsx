import {
  MOST_KEY_POINTS,
  sizeKindOf,
  withPreset,
  withRelevanceWeight,
  withSelection,
  withSizeKind,
  withStrategy,
} from './change-options.ts';
import { Choice } from './choice.tsx';
import { NumberField } from './number-field.tsx';
import type { OptionsProps } from './options-form.tsx';
import type { ServiceOffer } from './service-offer.ts';
import { type SizeKind, STRATEGY_GROUPS, strategyIn } from './strategies.ts';

const SIZES: Readonly<Record<SizeKind, string>> = {
  auto: 'As many as help',
  keyPoints: 'This many key points',
  words: 'This many words',
};

interface FieldsProps extends OptionsProps {
  readonly offer: ServiceOffer | null;
}

/** How key points are chosen, and how many. */
export function SelectionFields({ value, onChange, offer }: FieldsProps) {
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
            {strategy.name === 'k-dpp' ? 'as many as it is worth' : `as many as help, at most ${MOST_KEY_POINTS}`}
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
            onChange(withSelection(value, { size: { keyPoints: keyPoints ?? MOST_KEY_POINTS } }))
          }
          least={1}
          most={1000}
          step={1}
          placeholder={String(MOST_KEY_POINTS)}
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
export function Ways() {
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
export function SeedAndWeight({ value, onChange }: OptionsProps) {
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
