import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface SliderProps {
  readonly label: string;
  /** What moving it does, in a sentence. */
  readonly means: string;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly value: number;
  /** The value as it is read. */
  readonly said: string;
  readonly disabled: boolean;
  readonly onMove: (value: number) => void;
  readonly children?: ComponentChildren;
}

/** A number to be moved, with its value beside it and what it does below. */
export function Slider({ label, means, least, most, step, value, said, disabled, onMove, children }: SliderProps) {
  const id = useId();
  return (
    <div class="map-control">
      <div class="map-slider-head">
        <label for={id}>{label}</label>
        <output for={id}>{said}</output>
      </div>
      <input
        id={id}
        type="range"
        min={least}
        max={most}
        step={step}
        value={value}
        disabled={disabled}
        aria-valuetext={said}
        aria-describedby={`${id}-means`}
        onInput={({ currentTarget }) => onMove(currentTarget.valueAsNumber)}
      />
      <p class="muted" id={`${id}-means`}>
        {means}
      </p>
      {children}
    </div>
  );
}
