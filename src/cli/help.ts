import type { Command, Commands, Flags } from './command.node.ts';

const EXIT_CODES = `Exit codes: 0 success; 1 failure, also of a part; 2 wrong usage; 130 interrupted.`;

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`).join('\n');
}

function summariesOf(commands: Readonly<Record<string, Pick<Command, 'summary'>>>): string {
  return columns(Object.entries(commands).map(([name, { summary }]) => [name, summary]));
}

export function overview(commands: Parameters<typeof summariesOf>[0]): string {
  return `Tessera turns documents and a question into a short digest in which every sentence is cited to an exact quote.

Usage: tessera COMMAND [options]

Commands:
${summariesOf(commands)}

Options:
${columns([
  ['--help', 'show this help; after a command, its options and examples'],
  ['--version', 'the version'],
])}

Settings come from the environment: .env.example lists them all.
${EXIT_CODES}
`;
}

export function helpOf(name: string, { summary, usage, flags, notes, examples }: Command): string {
  const told = Object.keys(flags).length === 0 ? usage : `${usage} [options]`.trim();
  const parts = [
    summary,
    `Usage: tessera ${`${name} ${told}`.trim()}`,
    optionsOf(flags),
    ...(notes === undefined ? [] : [notes]),
    `${examples.length === 1 ? 'Example' : 'Examples'}:\n${examples.map((line) => `  ${line}`).join('\n')}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

export function groupHelp(group: string, commands: Commands): string {
  return `Usage: tessera ${group} COMMAND [options]

Commands:
${summariesOf(commands)}

"tessera ${Object.keys(commands)[0]} --help" shows the options of a command.
`;
}

function optionsOf(flags: Flags): string {
  const rows = Object.entries(flags).map(
    ([name, { value, about }]) => [`--${name}${value === undefined ? '' : ` ${value}`}`, about] as const,
  );
  return `Options:\n${columns([...rows, ['--help', 'this text']])}`;
}
