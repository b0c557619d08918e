import { ADMINISTRATION } from './administration.node.ts';
import { wholeNumber } from './benchmark/protocol-flags.node.ts';
import { type Commands, command, one, UsageError } from './command.node.ts';
import { JSON_FLAG, JUDGE_FLAGS, OUTPUT_FLAGS, REPORT_FLAGS } from './flags.ts';
import { serviceCommand } from './over-service.node.ts';

const SOME = { min: 1, max: Number.POSITIVE_INFINITY };
const limitOf = (limit: string | undefined) => wholeNumber('--limit', limit, Number.POSITIVE_INFINITY);

export const BENCHMARK = { summary: 'Build reference sets, review them, and benchmark systems.' };

/** All commands except benchmarks. Their code is loaded when they run, so that help is fast. */
export const COMMANDS: Commands = {
  digest: command({
    summary: 'Make a digest of files, folders or standard input.',
    usage: 'PATH…',
    flags: {
      intent: { type: 'string', value: 'TEXT', about: 'the question; without it, a summary of the documents' },
      format: { type: 'string', value: 'NAME', about: 'report (default), bullets or brief; json, markdown or html' },
      'max-words': { type: 'string', value: 'N', about: 'maximum number of words (report 250, brief 120)' },
      'key-points': { type: 'string', value: 'N', about: 'number of key points; by default as many as help' },
    },
    notes: `PATH is a file, a folder (its files of the types below, at any depth), a pattern such as "notes/**/*.md", an
https address, or - for standard input, whose type is detected. Types are text in any common encoding, Markdown, HTML,
PDF, Word, Excel, PowerPoint (.docx, .xlsx, .pptx), CSV and mail (.eml). A named file that cannot be read is an error; one
in a folder or pattern is skipped, and the digest says so. Key points and digests are stored in TESSERA_DB
(var/tessera.sqlite), so the next question about the same files is answered faster.`,
    examples: [
      'tessera digest notes/ --intent "What was decided about the budget?"',
      'tessera digest report.pdf minutes.docx --format brief',
      'tessera digest "interviews/**/*.txt" --intent "Why do customers leave?" --format html > leaving.html',
      'tessera digest https://example.org/ minutes.eml',
      'curl -s https://example.org/ | tessera digest - --format json',
    ],
    takes: { ...SOME, otherwise: 'Name files or folders to read, or - for standard input.' },
    async run(flags, paths) {
      const { digestPaths } = await import('./digest.node.ts');
      process.exitCode = await digestPaths(paths, flags, process);
    },
  }),

  table: command({
    summary: 'Ask several questions of each document, and lay the answers out as a table.',
    usage: 'PATH…',
    flags: {
      question: { type: 'string', multiple: true, value: 'TEXT', about: 'a column; up to ten' },
      csv: { type: 'string', value: 'FILE', about: 'also write the table, with the quotes, as CSV' },
      xlsx: { type: 'string', value: 'FILE', about: 'also write it as an Excel file' },
      ...JSON_FLAG,
    },
    notes: `PATH is as for "tessera digest". A cell is what the document says about the question, or empty. "(?)" stands before
what may not answer it, "=2" behind what two other documents say too. The table is not stored.`,
    examples: [
      'tessera table offers/ --question "What does it cost?" --question "When can they deliver?"',
      'tessera table "interviews/**/*.txt" --question "What do they complain about?" --xlsx complaints.xlsx',
    ],
    takes: { ...SOME, otherwise: 'Name files or folders to read, or - for standard input.' },
    async run({ question = [], json = false, ...files }, paths) {
      const { tableOfPaths } = await import('./table.node.ts');
      await tableOfPaths(paths, question, { ...files, json }, process);
    },
  }),

  serve: command({
    summary: 'Serve the API and the page, and make their digests.',
    usage: '',
    flags: {
      port: { type: 'string', value: 'N', about: 'default PORT, or 8787; 0 for any that is free' },
      host: { type: 'string', value: 'H', about: 'address to listen on; default HOST, or 127.0.0.1' },
    },
    notes:
      'TESSERA_DB names the database (var/tessera.sqlite). Without an API key only this machine is served. Stop with Ctrl-C.',
    examples: ['tessera serve', 'TESSERA_DB=/srv/tessera.sqlite tessera serve --port 9000'],
    async run({ port, host }) {
      if (port !== undefined && wholeNumber('--port', port, 0, 0) > 65_535) {
        throw new UsageError(`--port is at most 65535, not "${port}".`);
      }
      const { readConfiguration } = await import('../server/index.ts');
      const { serve } = await import('../server/index.node.ts');
      const named = { ...(port !== undefined && { PORT: port }), ...(host !== undefined && { HOST: host }) };
      await serve(readConfiguration({ ...process.env, ...named }));
    },
  }),

  work: command({
    summary: 'Make digests in another process beside "serve".',
    usage: '',
    flags: {},
    notes:
      'TESSERA_DB names the database of the service, TESSERA_JOBS the number of digests made at once. Stop with Ctrl-C.',
    examples: ['TESSERA_DB=/srv/tessera.sqlite TESSERA_JOBS=8 tessera work'],
    async run() {
      const { readConfiguration } = await import('../server/index.ts');
      const { workOnly } = await import('../server/index.node.ts');
      await workOnly(readConfiguration(process.env));
    },
  }),

  mcp: command({
    summary: 'Serve tools for agents on standard input and output (MCP).',
    usage: '',
    flags: { url: { type: 'string', value: 'URL', about: 'service that does the work; default: this process' } },
    notes: 'Agents start it: docs/mcp.md. TESSERA_DB names the database; with --url, TESSERA_KEY holds the API key.',
    examples: ['tessera mcp', 'TESSERA_KEY=tsr_... tessera mcp --url https://tessera.example.org'],
    run: async ({ url }) => (await import('./mcp.node.ts')).serveTools(url, process),
  }),

  ...ADMINISTRATION,

  'models pull': command({
    summary: 'Download another encoder.',
    usage: 'MODEL',
    flags: {
      to: { type: 'string', value: 'FOLDER', about: 'target folder; default TESSERA_MODELS' },
      dtype: { type: 'string', value: 'NAME', about: 'precision of the weights; default q8' },
    },
    notes: 'MODEL is OWNER/NAME on TESSERA_HUB (https://huggingface.co), with weights in ONNX: docs/encoders.md.',
    examples: ['tessera models pull Xenova/bge-small-en-v1.5 --to var/models'],
    takes: one('a model of the hub'),
    async run({ to, dtype }, [model]) {
      const { pullCommand } = await import('./pull-model.node.ts');
      await pullCommand({ model, dtype }, to, process);
    },
  }),

  eval: serviceCommand({
    summary: 'Score digests of any system with published metrics.',
    usage: 'FILE…',
    flags: {
      ...JUDGE_FLAGS,
      by: { type: 'string', multiple: true, value: 'NAMES', about: 'further tables, by domain,questionKind,order' },
      baseline: { type: 'string', value: 'SYSTEM', about: 'system to compare the others with' },
      ...REPORT_FLAGS,
    },
    notes: 'FILE holds records as JSON or JSON Lines: docs/evaluation.md. An interrupted run resumes where it stopped.',
    examples: [
      'tessera eval scores.jsonl --html scores.html',
      'tessera eval scores.jsonl --judge llm --by domain,order --json > scores.json',
    ],
    takes: { ...SOME, otherwise: 'Name the files to score.' },
    async run({ json = false, restart = false, ...flags }, paths, service, streams, signal) {
      const { dimensionsOf, judgeRequest } = await import('./eval-options.ts');
      const options = { ...flags, json, restart, judge: judgeRequest(flags), by: dimensionsOf(flags.by) };
      const limit = limitOf(flags.limit);
      const { readTextFiles } = await import('./read-files.node.ts');
      const files = readTextFiles(paths);
      const { evalFiles } = await import('./eval.node.ts');
      return evalFiles(files, { ...options, limit }, await service(), streams, signal);
    },
  }),

  'eval judge': serviceCommand({
    summary: 'Compare a judge with human labels.',
    usage: 'FILE',
    flags: {
      ...JUDGE_FLAGS,
      ...OUTPUT_FLAGS,
      labels: { type: 'string', value: 'LABELS.jsonl', about: 'what annotators decided of records with a task' },
    },
    notes: 'FILE holds labelled summaries, or records with a task, as JSON or JSON Lines: docs/evaluation.md.',
    examples: [
      'tessera eval judge labels.json',
      'tessera eval judge labels.json --judge llm --model gemma3',
      'tessera eval judge answers.jsonl --labels ada.jsonl',
    ],
    takes: one('a file of labels'),
    async run({ json = false, html, csv, labels, ...flags }, paths, service, streams, signal) {
      const { judgeRequest } = await import('./eval-options.ts');
      const options = { judge: judgeRequest(flags), json, html, csv, labels };
      const { readTextFiles } = await import('./read-files.node.ts');
      const [file] = readTextFiles(paths);
      const { evalJudge } = await import('./eval-judge.node.ts');
      return evalJudge(file, options, await service(), streams, signal);
    },
  }),
};

/** Includes the benchmark commands, which load slowly. */
export async function allCommands(): Promise<Commands> {
  const { BENCHMARKS } = await import('./benchmark.node.ts');
  return { ...COMMANDS, ...BENCHMARKS };
}
