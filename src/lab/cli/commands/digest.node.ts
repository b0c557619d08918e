import type { Command, Flags } from '../command.ts';
import { parseFlags } from '../parse-flags.node.ts';
import { UsageError } from '../usage-error.ts';

const FLAGS = {
  intent: { type: 'string', value: 'TEXT', about: 'what the reader wants to know; without it what the documents say' },
  format: { type: 'string', value: 'NAME', about: 'report (default), bullets or brief; json, markdown or html' },
  'max-words': { type: 'string', value: 'N', about: 'at most so many words (report 250, brief 120)' },
  'key-points': { type: 'string', value: 'N', about: 'choose so many key points, in the place of as many as help' },
} as const satisfies Flags;

/** Makes a digest of files. */
export const digestCommand: Command = {
  summary: 'Make a digest of files, folders or standard input.',
  usage: 'PATH…',
  flags: FLAGS,
  notes: `PATH is a file, a folder (its .txt, .md, .html, .pdf and .docx files, at any depth), a pattern such as
"notes/**/*.md", or - for standard input, which is told by its first bytes. Text is UTF-8. A file that is named and
cannot be read ends it; one of a folder or a pattern is left out, and the digest says so. What was read is kept in
TESSERA_DB (var/tessera.sqlite), so that the next question about the same files is answered sooner.`,
  examples: [
    'tessera digest notes/ --intent "What was decided about the budget?"',
    'tessera digest report.pdf minutes.docx --format brief',
    'tessera digest "interviews/**/*.txt" --intent "Why do customers leave?" --format html > leaving.html',
    'curl -s https://example.org/ | tessera digest - --format json',
  ],
  async run(args) {
    const { values, positionals } = parseFlags(args, FLAGS);
    if (positionals.length === 0) throw new UsageError('Name files or folders to read, or - for standard input.');
    const { digestPaths } = await import('../digest-paths.node.ts');
    process.exitCode = await digestPaths(positionals, values, process);
  },
};
