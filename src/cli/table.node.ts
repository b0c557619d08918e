import { tableCsv, tableXlsx } from '../client/index.ts';
import { type Table, tableRequestSchema } from '../contract/index.ts';
import { textTable } from '../lab/index.ts';
import { startService } from '../server/index.node.ts';
import { invalidBody, readConfiguration } from '../server/index.ts';
import { writeWhole } from './benchmark/set-file.node.ts';
import { UsageError } from './command.node.ts';
import { shown, WIDTH, wrap } from './digest-formats.node.ts';
import { readPaths } from './documents.node.ts';
import { progressLine } from './progress.ts';

interface TableOutputs {
  readonly csv?: string | undefined;
  readonly xlsx?: string | undefined;
  readonly json: boolean;
}

/**
 * Asks the questions of files, folders, patterns and standard input, prints the table, and writes the requested files.
 * @throws UsageError, UnreadableFileError, ConfigurationError; ModelCallError if every call of a language model failed
 */
export async function tableOfPaths(
  paths: readonly string[],
  questions: readonly string[],
  { csv, xlsx, json }: TableOutputs,
  { stdin, stdout, stderr }: Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr'>,
): Promise<void> {
  if (questions.length === 0) throw new UsageError('Ask at least one --question.');
  const configuration = { ...readConfiguration(process.env), logLevel: 'warn' as const };
  const { documents, leftOut } = await readPaths(paths, { stdin, stderr });
  const request = tableRequestSchema.safeParse({ documents, questions });
  if (!request.success) {
    const [{ pointer, detail }] = invalidBody(request.error).errors ?? [{ pointer: '', detail: 'cannot be asked' }];
    const place = /^\/questions\/(\d+)/.exec(pointer)?.[1];
    throw new UsageError(
      `${place === undefined ? '--question' : `--question "${questions[Number(place)]}"`} ${detail}.`,
    );
  }
  const line = progressLine(stderr);
  const service = await startService(configuration);
  const { work } = service.deps;
  const made = await work
    .makeTable({ documents, questions }, service.deps, { onProgress: line.notify })
    .finally(async () => {
      line.end();
      await service.close();
    });
  const table = { ...made, warnings: [...made.warnings, ...leftOut] };
  stdout.write(`${json ? JSON.stringify(table, null, 2) : printTable(table)}\n`);
  if (csv !== undefined) writeWhole(csv, tableCsv(table));
  if (xlsx !== undefined) writeWhole(xlsx, Buffer.from(await (await tableXlsx(table)).arrayBuffer()));
}

const DOCUMENT_WIDTH = 20;
const MIN_WIDTH = 18;
/** Between columns, as `textTable` sets them. */
const GAP = 3;

function printTable({ rows, columns, warnings }: Table): string {
  const width = Math.max(MIN_WIDTH, Math.floor((WIDTH - DOCUMENT_WIDTH) / columns.length) - GAP);
  const heads = columns.map(({ question, answered, of }) => `${question} (${answered} of ${of})`);
  const lines = [['Document', ...heads], ...rows.map(cellsOf)].flatMap((row) => {
    const parts = row.map((text, column) => wrap(text, '', column === 0 ? DOCUMENT_WIDTH : width).split('\n'));
    const height = Math.max(...parts.map((part) => part.length));
    const filled = Array.from({ length: height }, (_, at) => parts.map((part) => part[at] ?? ''));
    return [...filled, row.map(() => '')];
  });
  const [first, ...others] = lines.slice(0, -1);
  return [textTable(first, others, first.length), ...warnings.map((note) => wrap(`Note: ${note}`, ''))].join('\n');
}

function cellsOf({ document, title, cells }: Table['rows'][number]): string[] {
  const texts = cells.map(({ answered, sure, text, agrees }) => {
    if (!answered) return '–';
    return `${sure ? '' : '(?) '}${text}${agrees.length > 0 ? ` =${agrees.length}` : ''}`;
  });
  return [shown(title?.trim() || document), ...texts];
}
