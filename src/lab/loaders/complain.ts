import type { z } from 'zod';

/** Says that something at a place of a record is wrong. */
export type Complain = (path: readonly (string | number)[], message: string) => void;

export function complainTo(context: z.core.$RefinementCtx): Complain {
  return (path, message) => context.addIssue({ code: 'custom', path: [...path], message });
}

/** Complains of every id that came before. */
export function complainOfRepeated(
  ids: readonly string[],
  at: (index: number) => readonly (string | number)[],
  complain: Complain,
): void {
  const seen = new Set<string>();
  ids.forEach((id, index) => {
    if (seen.has(id)) complain(at(index), 'is an id that came before');
    seen.add(id);
  });
}
