import { type Fact, FactList } from './fact-list.tsx';
import type { StoredDigest } from './stored-digest.ts';
import { duration, percent, rounded } from './words.ts';

/** The digest's own figures, each with what it means. */
export function MetricFacts({ digest: { keyPoints, metrics } }: StoredDigest) {
  if (!keyPoints.some(({ selected }) => selected)) {
    return (
      <>
        <h3>Figures</h3>
        <p>Nothing was chosen, so there is nothing to measure.</p>
      </>
    );
  }
  const { documentCoverage, citedDocuments, redundancy, relevance, compression, words, wordsPerSentence } = metrics;
  const isEstimate = keyPoints.some(({ probability }) => typeof probability === 'number');
  const facts: (Fact | null)[] = [
    { name: 'Length', value: `${rounded(words)} words`, meaning: `about ${rounded(wordsPerSentence)} to a sentence` },
    {
      name: 'Documents cited',
      value: percent(citedDocuments),
      meaning: 'share of the documents read that the summary names',
    },
    {
      name: 'Documents chosen from',
      value: percent(documentCoverage),
      meaning: 'share of the documents read whose own words were picked',
    },
    relevance === null
      ? null
      : {
          name: 'Fit to the question',
          value: rounded(relevance),
          meaning: isEstimate
            ? 'how likely the picked statements help to answer, in the mean; 1 is certain'
            : 'mean of the picked statements; 1 is the closest',
        },
    redundancy === null
      ? null
      : {
          name: 'Repetition',
          value: rounded(redundancy),
          meaning: 'how alike the picked statements are; 0 is not at all, 1 the same',
        },
    compression > 0 && compression < 1
      ? {
          name: 'Shortening',
          value: `1 to ${rounded(1 / compression)}`,
          meaning: 'words of the summary to words of the documents',
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
  encode: 'Telling what statements mean',
  rank: 'Comparing with the question',
  select: 'Choosing',
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
  return <FactList facts={[...facts, { name: 'Together', value: duration(total) }]} />;
}
