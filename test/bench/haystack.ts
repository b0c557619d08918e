import { existsSync, readFileSync } from 'node:fs';
import type { SourceDocument } from '../../src/text/index.ts';
import { reports } from './reports.ts';

export interface BenchInput {
  readonly name: string;
  readonly documents: readonly SourceDocument[];
  readonly intents: readonly string[];
}

/** h1.json of the development data if it is there, else 100 seeded reports. */
export function benchInput(): BenchInput {
  const path = process.env.TESSERA_BENCH_HAYSTACK ?? '../shared/data/haystacks/h1.json';
  if (existsSync(path)) {
    const { documents, queries } = JSON.parse(readFileSync(path, 'utf8'));
    return {
      name: path,
      documents: documents.map(({ id, text }: SourceDocument) => ({ id, text })),
      intents: queries.map(({ intent }: { intent: string }) => intent),
    };
  }
  const documents = reports(100, 1600);
  return {
    name: `${path} is not there: ${documents.length} seeded reports`,
    documents,
    intents: ['taxes', 'bridges', 'schools'],
  };
}
