import type { Flags } from './command.node.ts';

export const JUDGE_FLAGS = {
  judge: { type: 'string', value: 'NAME', about: 'embedded (default) or llm' },
  encoder: { type: 'string', value: 'NAME', about: 'encoder of the embedded judge' },
  model: { type: 'string', value: 'NAME', about: 'language model of the judge; default TESSERA_MODEL' },
} as const satisfies Flags;

export const RUN_FLAGS = {
  restart: { type: 'boolean', about: 'ignore results of earlier runs' },
  limit: { type: 'string', value: 'N', about: 'only the first N records' },
} as const satisfies Flags;

export const JSON_FLAG = { json: { type: 'boolean', about: 'everything, as JSON' } } as const satisfies Flags;

export const OUTPUT_FLAGS = {
  ...JSON_FLAG,
  html: { type: 'string', value: 'FILE', about: 'also write an HTML report' },
  csv: { type: 'string', value: 'FILE', about: 'also write the tables as CSV' },
} as const satisfies Flags;

export const REPORT_FLAGS = { ...OUTPUT_FLAGS, ...RUN_FLAGS } as const satisfies Flags;

export const YES_FLAG = {
  yes: { type: 'boolean', about: 'ask a language model without asking first' },
} as const satisfies Flags;

export const SAMPLE_FLAGS = {
  sample: { type: 'string', value: 'N', about: 'number of items that are drawn' },
  seed: { type: 'string', value: 'N', about: 'seed of what is random; default 1' },
} as const satisfies Flags;
