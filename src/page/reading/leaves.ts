import { rounded } from './words.ts';

/** The values of nested options, each by its path: `kernel.sigma`. */
export function leavesOf(options: object, under = ''): [string, string][] {
  return Object.entries(options).flatMap(([name, value]): [string, string][] => {
    const path = under + name;
    if (Array.isArray(value)) return [[path, value.map(told).join('; ')]];
    if (typeof value === 'object' && value !== null) return leavesOf(value, `${path}.`);
    return [[path, told(value)]];
  });
}

function told(value: unknown): string {
  if (value === null) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' && !Number.isInteger(value) ? rounded(value) : String(value);
}
