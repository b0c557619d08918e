import { PassThrough } from 'node:stream';
import type { BenchmarkCommand } from '../../../src/cli/benchmark/command.node.ts';
import type { DigestDeps } from '../../../src/digest/index.ts';
import { scriptedModel } from '../../models/language/scripted-model.ts';
import { PROMPTS } from '../../support/prompts.ts';
import type { Script, ScriptedModelServer } from '../../support/scripted-model-server.ts';
import { type TestOptions, testDeps } from '../../support/test-deps.ts';

export interface CommandOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in this process; `typed` is what a person at a terminal answers, nobody sits there by default. */
export async function runCommand(
  command: BenchmarkCommand,
  args: readonly string[],
  deps: DigestDeps = testDeps(),
  { typed, signal = new AbortController().signal }: { readonly typed?: string; readonly signal?: AbortSignal } = {},
): Promise<CommandOutcome> {
  const [out, err]: [string[], string[]] = [[], []];
  const stdin: PassThrough & { isTTY?: boolean } = new PassThrough();
  stdin.isTTY = typed !== undefined;
  stdin.end(typed ?? '');
  const streams = {
    stdin,
    stdout: { write: (piece: string) => out.push(piece) > 0 },
    stderr: { write: (piece: string) => err.push(piece) > 0 },
  };
  const code = await command.run(args, async () => deps, streams, signal);
  return { code, stdout: out.join(''), stderr: err.join('') };
}

/** Parts whose language model is a server on this machine that answers by a script. */
export async function partsWithModel(
  script: Script,
  options: Omit<TestOptions, 'models'> = {},
): Promise<{ readonly deps: DigestDeps; readonly server: ScriptedModelServer }> {
  const { model, server } = await scriptedModel(script, {
    concurrency: 2,
    prices: new Map([['scripted', { input: 1, output: 2 }]]),
  });
  const models = { model, prompts: PROMPTS, extractor: 'sentences', writer: 'compose' } as const;
  return { deps: testDeps({ ...options, models }), server };
}
