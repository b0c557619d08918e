import { wellFormed } from './well-formed.ts';

/** Characters of an id that was made of a name, before what makes it unique. */
const LONGEST = 60;

/**
 * An id made of a file's name or a title, as people would write it in an address.
 *
 * @param taken ids that it has to differ from
 */
export function idFor(name: string, taken: ReadonlySet<string>): string {
  const words = wellFormed(name)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
  const base =
    [...words]
      .slice(0, LONGEST)
      .join('')
      .replace(/^-+|-+$/g, '') || 'document';
  if (!taken.has(base)) return base;
  for (let number = 2; ; number++) if (!taken.has(`${base}-${number}`)) return `${base}-${number}`;
}
