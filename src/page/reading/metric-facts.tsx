import { type Fact, FactList } from './fact-list.tsx';
import type { StoredDigest } from './stored-digest.ts';
import { duration, percent, rounded } from './words.ts';

/** The digest's own figures, each with what it means. */
export function MetricFacts({ digest: { keyPoints, metrics } }: StoredDigest) {
  if (!keyPoints.some(({ selected }) => selected)) {
    return (
      <>
        <h3>Figures</h3>
        <p>No key point was selected, so there is nothing to measure.</p>
      </>
    );
  }
  const { documentCoverage, citedDocuments, redundancy, relevance, compression, words, wordsPerSentence } = metrics;
  const isEstimate = keyPoints.some(({ probability }) => typeof probability === 'number');
  const facts: (Fact | null)[] = [
    { name: 'Length', value: `${rounded(words)} words`, meaning: `about ${rounded(wordsPerSentence)} per sentence` },
    {
      name: 'Documents cited',
      value: percent(citedDocuments),
      meaning: 'share of the documents that the answer cites',
    },
    {
      name: 'Documents covered',
      value: percent(documentCoverage),
      meaning: 'share of the documents with a selected key point',
    },
    relevance === null
      ? null
      : {
          name: 'Relevance',
          value: rounded(relevance),
          meaning: isEstimate
            ? 'mean probability that a selected key point helps to answer'
            : 'mean of the selected key points; 1 is the closest',
        },
    redundancy === null
      ? null
      : {
          name: 'Repetition',
          value: rounded(redundancy),
          meaning: 'how similar the selected key points are; 1 is the same',
        },
    compression > 0 && compression < 1
      ? {
          name: 'Compression',
          value: `1 : ${rounded(1 / compression)}`,
          meaning: 'words of the answer to words of the documents',
        }
      : null,
  ];
  return (
    <>
      <h3>Figures</h3>
      <FactList facts={facts.filter((fact) => fact !== null)} />
    </>
  );
}

const STAGES: Readonly<Record<keyof StoredDigest['digest']['timings'], string>> = {
  extract: 'Reading the documents',
  encode: 'Comparing key points',
  rank: 'Matching with the question',
  select: 'Selecting',
  write: 'Writing',
};

/** How long each stage took. */
export function Timings({ timings }: Pick<StoredDigest['digest'], 'timings'>) {
  const total = Object.values(timings).reduce((sum, each) => sum + each, 0);
  const facts = Object.entries(STAGES).map(([stage, name]) => ({
    name,
    // The keys of STAGES are those of the timings.
    value: duration(timings[stage as keyof typeof timings]),
  }));
  return <FactList facts={[...facts, { name: 'Total', value: duration(total) }]} />;
}
