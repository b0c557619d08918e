import { toHtml, toMarkdown } from '../client/index.ts';
import { type Digest, digestRequestSchema, FORMATS, LIMITS } from '../contract/index.ts';
import { startService } from '../server/index.node.ts';
import { createStoredDigest, invalidBody, readConfiguration } from '../server/index.ts';
import type { SourceDocument } from '../text/index.ts';
import { wholeNumber } from './benchmark/protocol-flags.node.ts';
import { UsageError } from './command.node.ts';
import { exportedOf, printDigest } from './digest-formats.node.ts';
import { readPaths } from './documents.node.ts';
import { progressLine } from './progress.ts';

const OUTPUTS = [...FORMATS, 'json', 'markdown', 'html'] as const;
type Output = (typeof OUTPUTS)[number];

type DigestFlags = Readonly<Partial<Record<'intent' | 'format' | 'max-words' | 'key-points', string | undefined>>>;

/**
 * Digests files, folders, patterns and standard input, and prints the result. Unreadable files of a folder or pattern
 * are skipped, with a line on `stderr` and a warning in the digest.
 * @returns the exit code: 1 if the digest failed
 * @throws UsageError, UnreadableFileError, ConfigurationError
 */
export async function digestPaths(
  paths: readonly string[],
  flags: DigestFlags,
  { stdin, stdout, stderr }: Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr'>,
): Promise<number> {
  const output = outputOf(flags.format);
  if (flags.intent?.trim() === '') throw new UsageError('--intent says nothing.');
  const options = optionsOf(flags, output);
  const configuration = { ...readConfiguration(process.env), logLevel: 'warn' as const };
  const { documents, leftOut } = await readPaths(paths, { stdin, stderr });
  const { selection, summary } = checked(documents, options);
  const asked = { documents, intent: flags.intent, selection, summary };
  const line = progressLine(stderr);
  const service = await startService(configuration);
  const made = await createStoredDigest(asked, service.deps, { onProgress: line.notify }).finally(async () => {
    line.end();
    await service.close();
  });
  const digest = { ...made, warnings: [...made.warnings, ...leftOut] };
  const color = stdout.isTTY === true && !process.env.NO_COLOR;
  stdout.write(`${(printed(digest, output, flags.intent, color)).trimEnd()}\n`);
  return digest.status === 'failed' ? 1 : 0;
}

function outputOf(format = 'report'): Output {
  const output = OUTPUTS.find((each) => each === format);
  if (output === undefined) throw new UsageError(`--format is one of ${OUTPUTS.join(', ')}, not "${format}".`);
  return output;
}

function optionsOf({ intent, 'max-words': maxWords, 'key-points': keyPoints }: DigestFlags, output: Output) {
  return {
    ...(intent !== undefined && { intent }),
    ...(keyPoints !== undefined && { selection: { size: { keyPoints: wholeNumber('--key-points', keyPoints, 1) } } }),
    summary: {
      format: FORMATS.find((each) => each === output) ?? 'report',
      ...(maxWords !== undefined && { maxWords: wholeNumber('--max-words', maxWords, 1) }),
    },
  };
}

/** Validates the request as the API does; problems name the file or flag. */
function checked(documents: readonly SourceDocument[], options: ReturnType<typeof optionsOf>) {
  const request = digestRequestSchema.safeParse({ documents, ...options });
  if (request.success) return request.data;
  const [{ pointer, detail }] = invalidBody(request.error).errors ?? [{ pointer: '', detail: 'cannot be digested' }];
  if (pointer === '/documents') {
    throw new UsageError(`A digest reads at most ${LIMITS.documents} files; these are ${documents.length}.`);
  }
  const place = /^\/documents\/(\d+)/.exec(pointer)?.[1];
  const named = place === undefined ? (FLAG_OF[pointer] ?? pointer) : documents[Number(place)].id;
  throw new UsageError(`${named}: ${detail}.`);
}

const FLAG_OF: Readonly<Record<string, string>> = {
  '/intent': '--intent',
  '/summary/maxWords': '--max-words',
  '/selection/size/keyPoints': '--key-points',
};

function printed(digest: Digest, output: Output, intent: string | undefined, color: boolean): string {
  if (output === 'json') return JSON.stringify(digest, null, 2);
  if (output === 'markdown') return toMarkdown(exportedOf(intent, digest));
  return output === 'html' ? toHtml(exportedOf(intent, digest)) : printDigest(digest, color);
}
