import type { JudgeRecord } from '../../evaluation/index.ts';

/** What judged, in a few words. */
export function printJudge({ name, encoder, model, version }: JudgeRecord): string {
  if (name === 'embedded') return `the embedded judge with ${encoder} (${version})`;
  return `the language model ${model?.model ?? ''} (${version})`;
}
