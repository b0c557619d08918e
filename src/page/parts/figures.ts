import type { Digest } from '../../client/index.ts';
import { number, percent } from './words.ts';

export interface Figure {
  /** Field of a digest's `metrics`; its metric in experiments is `digest.` and this. */
  readonly key: keyof Digest['metrics'];
  readonly name: string;
  readonly meaning: string;
  readonly better: 'more' | 'less' | 'neither';
  readonly write: (value: number) => string;
  /** Options that two digests must share for a comparison, `intent` for the question. */
  readonly needs?: RegExp;
}

/** The figures of a digest, wherever they are shown. */
export const FIGURES: readonly Figure[] = [
  {
    key: 'documentCoverage',
    name: 'Documents covered',
    meaning: 'share of the documents with a selected key point',
    better: 'more',
    write: percent,
  },
  {
    key: 'citedDocuments',
    name: 'Documents cited',
    meaning: 'share of the documents that are cited',
    better: 'more',
    write: percent,
  },
  {
    key: 'relevance',
    name: 'Relevance',
    meaning: 'how well the selected key points fit the question; 1 at most',
    better: 'more',
    write: number,
    needs: /^(?:intent|engine\.relevanceEncoder|selection\.relevance\.(?:encoder|surroundings|estimate))$/,
  },
  {
    key: 'redundancy',
    name: 'Repetition',
    meaning: 'how similar the selected key points are; 1 at most',
    better: 'less',
    write: number,
    needs: /^(?:engine\.encoder|selection\.kernel\.similarity)$/,
  },
  {
    key: 'compression',
    name: 'Compression',
    meaning: 'words of the summary for each word read',
    better: 'neither',
    write: percent,
  },
  { key: 'words', name: 'Words', meaning: 'length of the summary', better: 'neither', write: number },
  {
    key: 'wordsPerSentence',
    name: 'Words per sentence',
    meaning: 'how long its sentences are',
    better: 'neither',
    write: number,
  },
];

/** Metrics that experiments record of every digest, beside its figures. */
const RECORDED: Readonly<Record<string, string>> = {
  support: 'Support by the quotes',
  latency: 'Time to make a digest (ms)',
  tokens: 'Tokens of language models',
  cost: 'Cost of language models',
};

/** The name of a metric of experiments: its key, if the app reports it. */
export function metricName(metric: string): string {
  const key = metric.replace(/^digest\./, '');
  if (key === metric) return metric;
  return FIGURES.find((figure) => figure.key === key)?.name ?? RECORDED[key] ?? metric;
}
