import type { JudgeRecord } from '../../evaluation/index.ts';
import type { CallUsage } from '../../models/index.ts';
import { VERSION } from '../../server/index.ts';
import { counted, groupBy, TesseraError } from '../../text/index.ts';
import { printJudge } from '../results/judge-identity.ts';
import type { SystemRecord } from '../run/plan-run.ts';
import type { SetRun } from '../run/run-report.ts';

function promptsLine(prompts: readonly (readonly [id: string, hash: string])[]): string {
  return prompts.map(([id, hash]) => `${id} ${hash.slice(0, 8)}`).join(', ');
}

/** A judge with the hashes of its prompts, of which the embedded one has none. @param more stands before these */
export function judgeLine(judge: JudgeRecord, more = ''): string {
  const prompts = Object.entries(judge.prompts);
  const hashes = prompts.length === 0 ? '' : `; prompts by their SHA-256: ${promptsLine(prompts)}`;
  return printJudge(judge) + more + hashes;
}

function linesOf({ encoder, relevanceEncoder, seed: own, models, prompts }: SystemRecord): string[] {
  const relevance = encoder === relevanceEncoder ? '' : `, relevance ${relevanceEncoder}`;
  const stages = Object.entries(models ?? {}).map(([stage, { model, temperature, topP, seed, prompt }]) => {
    const hash = prompts?.[prompt];
    const settings = Object.entries({ temperature, 'top p': topP, seed }).flatMap(([name, value]) =>
      value === null ? [] : [`${name} ${value}`],
    );
    const read = hash === undefined ? prompt : promptsLine([[prompt, hash]]);
    return `${stage}: ${[model, ...settings, `prompt ${read}`].join(', ')}`;
  });
  return [`encoder ${encoder}${relevance}; seed ${own}`, ...stages];
}

/** Describes how outputs were made, in enough detail for publication; equal systems share lines. */
export function provenanceLines(runs: readonly SetRun[]): string[] {
  const records = new Map(runs.flatMap((run) => Object.entries(run.records)));
  const alike = groupBy([...records], ([, record]) => linesOf(record).join('\n  '));
  const groups = [...alike].map(([lines, some]) => `${some.map(([name]) => name).join('; ')}\n  ${lines}`);
  return [`made by Tessera ${VERSION}; prompts by the beginning of their SHA-256`, ...groups];
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
  return `${counted(requests, 'call')}, ${promptTokens} + ${completionTokens} tokens, ${price}`;
}
