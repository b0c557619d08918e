import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import { annotateCommand } from '../../../src/cli/benchmark/annotate.node.ts';
import type { BenchmarkSet } from '../../../src/lab/benchmark-set.ts';
import { SAMPLE_SET } from '../../l../../lab/people/sample-set.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** `tessera benchmark annotate` in this process, until it is ended or the test is. */
interface Annotating {
  /** As it is printed, with the token. */
  readonly url: string;
  /** The file of labels. */
  readonly out: string;
  readonly folder: string;
  stderr(): string;
  /** Presses Ctrl-C. */
  ended(): Promise<{ readonly code: number; readonly stderr: string }>;
}

/** @param folder where an earlier one wrote */
export async function startAnnotating({
  annotator = 'ada',
  set = SAMPLE_SET,
  folder = temporaryFolder(),
}: {
  readonly annotator?: string;
  readonly set?: BenchmarkSet;
  readonly folder?: string;
} = {}): Promise<Annotating> {
  const [path, out] = [join(folder, 'set.json'), join(folder, 'labels.jsonl')];
  writeFileSync(path, JSON.stringify(set));
  const interrupted = new AbortController();
  const err: string[] = [];
  let run: Promise<number> | undefined;
  const url = await new Promise<string>((resolve, reject) => {
    const streams = {
      stdin: new PassThrough(),
      stdout: {
        write(line: string) {
          resolve(line.trim());
          return true;
        },
      },
      stderr: { write: (piece: string) => err.push(piece) > 0 },
    };
    const service = async () => Promise.reject(new Error('annotators need no service'));
    run = annotateCommand.run([path, '--out', out, '--annotator', annotator], service, streams, interrupted.signal);
    run.catch(reject);
  });
  const ended = async () => {
    interrupted.abort();
    return { code: (await run) ?? -1, stderr: err.join('') };
  };
  onTestFinished(async () => {
    await ended();
  });
  return { url, out, folder, stderr: () => err.join(''), ended };
}
