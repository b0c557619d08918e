import type { JudgeRecord } from '../../evaluation/index.ts';
import type { CallUsage } from '../../models/index.ts';
import { VERSION } from '../../server/index.ts';
import { groupBy, TesseraError } from '../../text/index.ts';
import type { SystemRecord } from '../run/plan-identity.ts';
import type { SetRun } from '../run/run-report.ts';

const SHORT = 8;

export function shortHash(hash: string): string {
  return hash.slice(0, SHORT);
}

function promptsLine(prompts: Readonly<Record<string, string>>): string {
  return Object.entries(prompts)
    .map(([id, hash]) => `${id} ${shortHash(hash)}`)
    .join(', ');
}

/** Suffix of a line about the judge; empty for the embedded judge, which has no prompts. */
export function judgePrompts({ prompts }: Pick<JudgeRecord, 'prompts'>): string {
  return Object.keys(prompts).length === 0 ? '' : `; prompts by their SHA-256: ${promptsLine(prompts)}`;
}

function stageLines({ models, prompts }: SystemRecord): string[] {
  return Object.entries(models ?? {}).map(([stage, { model, temperature, topP, seed, prompt }]) => {
    const hashes = Object.entries(prompts ?? {}).filter(([id]) => id === prompt);
    const settings = [
      temperature !== null && `temperature ${temperature}`,
      topP !== null && `top p ${topP}`,
      seed !== null && `seed ${seed}`,
      hashes.length > 0 ? `prompt ${promptsLine(Object.fromEntries(hashes))}` : `prompt ${prompt}`,
    ];
    return `${stage}: ${[model, ...settings.filter((each) => each !== false)].join(', ')}`;
  });
}

function encodersOf({ encoder, relevanceEncoder }: SystemRecord): string {
  return encoder === relevanceEncoder ? encoder : `${encoder}, relevance ${relevanceEncoder}`;
}

/** Describes how outputs were made, in enough detail for publication; equal systems share lines. */
export function provenanceLines(runs: readonly SetRun[]): string[] {
  const records = new Map(runs.flatMap((run) => Object.entries(run.records)));
  const alike = groupBy([...records], ([, record]) =>
    JSON.stringify([encodersOf(record), record.seed, stageLines(record)]),
  );
  const groups = [...alike.values()].map((some) => {
    const [, record] = some[0];
    const lines = [`encoder ${encodersOf(record)}; seed ${record.seed}`, ...stageLines(record)];
    return [some.map(([name]) => name).join('; '), ...lines.map((line) => `  ${line}`)].join('\n');
  });
  return [`made by Tessera ${VERSION}; prompts by the beginning of their SHA-256`, ...groups];
}

export function provenanceCell(record: SystemRecord | undefined): string {
  if (record === undefined) return '–';
  return [`encoder ${encodersOf(record)}`, `seed ${record.seed}`, ...stageLines(record)].join('\n');
}

export function describeFailure(failure: unknown): string {
  if (failure instanceof TesseraError)
    return `${failure.pointer === null ? '' : `${failure.pointer} `}${failure.message}`;
  return failure instanceof Error ? failure.message : String(failure);
}

/** Calls, tokens and cost in one line; empty without calls. */
export function printUsage({ requests, promptTokens, completionTokens, cost }: CallUsage): string {
  if (requests === 0) return '';
  const price = cost === null ? 'at no known price' : `at a cost of ${cost.toFixed(4)}`;
  return `${requests} calls, ${promptTokens} + ${completionTokens} tokens, ${price}`;
}
