import type { z } from 'zod';

/** Says that something at a place of a record is wrong. */
export type ReportIssue = (path: readonly (string | number)[], message: string) => void;

export function issueReporter(context: z.core.$RefinementCtx): ReportIssue {
  return (path, message) => context.addIssue({ code: 'custom', path: [...path], message });
}

/** Complains of every id that came before. */
export function reportDuplicates(
  ids: readonly string[],
  at: (index: number) => readonly (string | number)[],
  report: ReportIssue,
): void {
  const seen = new Set<string>();
  ids.forEach((id, index) => {
    if (seen.has(id)) report(at(index), 'is a duplicate id');
    seen.add(id);
  });
}
