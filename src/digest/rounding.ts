/** Decimals of cosines, probabilities and what is made of them: single precision and the models' own noise hold no more. */
const DECIMALS = 4;
/** Decimals of what a selection from a stored digest starts from, so that it starts from the same order. */
const REPLAYED = 6;

/** A value as answers give it; null stays null. */
export function rounded<Value extends number | null>(value: Value, decimals = DECIMALS): Value {
  if (value === null) return value;
  const scale = 10 ** decimals;
  // Above this no number has so many decimals. The type of a number is `number`, which the compiler does not see here.
  return (Math.abs(value) > Number.MAX_SAFE_INTEGER / scale ? value : Math.round(value * scale) / scale) as Value;
}

/** What later selections from the digest read again. */
export function replayed<Value extends number | null>(value: Value): Value {
  return rounded(value, REPLAYED);
}
