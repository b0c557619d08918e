/** A number as people read it: two decimals, more digits where it is small, fewer where it is large. */
export function amount(value: number): string {
  const size = Math.abs(value);
  if (size >= 100) return plain(value, 0);
  if (size >= 10) return plain(value, 1);
  if (size >= 0.1 || size === 0) return plain(value, 2);
  return String(Number(value.toPrecision(1))).replace('-', '−');
}

/** A share as a percentage. */
export function percent(share: number): string {
  if (share > 0 && share < 0.01) return 'Under 1%';
  return `${Math.round(share * 100)}%`;
}

/** A number with its word. */
export function count(number: number, one: string, several = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : several}`;
}

/** Milliseconds, or seconds where they are many. */
export function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function plain(value: number, decimals: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: decimals }).replace('-', '−');
}
