import type { ComponentChildren } from 'preact';
import { describeOption, leavesOf } from '../parts/options.ts';
import { Table } from '../parts/table.tsx';
import { count, duration, number, percent } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { useReading } from './reading.ts';
import type { StoredDigest } from './stored-digest.ts';

type Digest = StoredDigest['digest'];

export function Details() {
  const { digest } = useReading();
  const { experiment, keyPoints, documents, timings } = digest;
  const total = Object.values(timings).reduce((sum, each) => sum + each, 0);
  return (
    <details class="read-facts">
      <summary>Details</summary>
      <p>
        {count(keyPoints.length, 'key point')} in {count(documents.length, 'document')}.
      </p>
      <UnusedDocuments status="empty" name="Without a key point" />
      <UnusedDocuments status="excluded" name="Left out" />
      <h3>Figures</h3>
      {keyPoints.some(({ selected }) => selected) ? (
        <Facts facts={figuresOf(digest)} />
      ) : (
        <p>No key point was selected, so there is nothing to measure.</p>
      )}
      <details>
        <summary>Engine</summary>
        <Facts facts={engineFacts(digest)} />
        <Prompts prompts={digest.prompts} />
      </details>
      <details>
        <summary>Time</summary>
        <Facts facts={[...Object.entries(timings), ['total', total] as const].map(timingFact)} />
      </details>
      {experiment !== null && <ExperimentPart experiment={experiment} />}
      <SelectionFacts {...digest} />
    </details>
  );
}

interface Fact {
  readonly name: string;
  readonly value: ComponentChildren;
  readonly meaning?: string;
}

function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(({ name, value, meaning }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <strong>{value}</strong> <span class="muted">{meaning}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface UnusedDocumentsProps {
  readonly status: 'empty' | 'excluded';
  readonly name: string;
}

function UnusedDocuments({ status, name }: UnusedDocumentsProps) {
  const { digest, documentOf } = useReading();
  const documents = digest.documents.filter((document) => document.status === status);
  if (documents.length === 0) return null;
  const reasons = { date: 'Published outside the dates you gave.', known: 'Already read for the earlier digest.' };
  return (
    <details>
      <summary>
        {name}: {count(documents.length, 'document')}
      </summary>
      <ul>
        {documents.map(({ id, excluded }) => (
          <li key={id}>
            <bdi>{documentOf(id).name}</bdi> <span class="muted">{excluded && reasons[excluded]}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function figuresOf({ metrics, keyPoints }: Digest): Fact[] {
  const { documentCoverage, citedDocuments, redundancy, relevance, compression, words, wordsPerSentence } = metrics;
  const isEstimate = keyPoints.some(({ probability }) => typeof probability === 'number');
  const relevanceMeaning = isEstimate
    ? 'mean probability that a selected key point helps to answer'
    : 'mean of the selected key points; 1 is the closest';
  const facts: Fact[] = [
    { name: 'Length', value: count(words, 'word'), meaning: `about ${number(wordsPerSentence)} per sentence` },
    { name: 'Documents cited', value: percent(citedDocuments), meaning: 'share of the documents that are cited' },
    {
      name: 'Documents covered',
      value: percent(documentCoverage),
      meaning: 'share of the documents with a selected key point',
    },
  ];
  if (relevance !== null) facts.push({ name: 'Relevance', value: number(relevance), meaning: relevanceMeaning });
  if (redundancy !== null) {
    const meaning = 'how similar the selected key points are; 1 is the same';
    facts.push({ name: 'Repetition', value: number(redundancy), meaning });
  }
  if (compression > 0 && compression < 1) {
    const meaning = 'words of the answer to words of the documents';
    facts.push({ name: 'Compression', value: `1 : ${number(1 / compression)}`, meaning });
  }
  return facts;
}

const STAGES: Readonly<Record<string, string>> = {
  extract: 'Reading the documents',
  encode: 'Comparing key points',
  rank: 'Matching with the question',
  select: 'Selecting',
  write: 'Writing',
  judge: 'Judging',
  total: 'Total',
};

function timingFact([stage, milliseconds]: readonly [string, number]): Fact {
  return { name: STAGES[stage] ?? stage, value: duration(milliseconds) };
}

const VERIFIERS: Readonly<Record<string, string>> = {
  llm: 'a language model compares each sentence with the quotes that it cites',
  rules: 'only the wording of the quotes is kept',
  off: 'nothing was checked',
};
const ENTAILMENT = 'an entailment model compares each sentence with the quotes that it cites';
const WRITTEN = {
  compose: 'the documents’ own words, without a language model',
  llm: 'a language model, checked against the quotes',
};

function engineFacts({ engine, usage }: Digest): Fact[] {
  const { extractor, encoder, relevanceEncoder, writer, verifier, matrix, models } = engine;
  const facts: Fact[] = [
    { name: 'Key points found by', value: extractor },
    { name: 'Encoder', value: encoder, meaning: 'decides which key points are similar' },
    { name: 'Relevance by', value: relevanceEncoder, meaning: 'compares key points with the question' },
    { name: 'Written by', value: writer, meaning: writer === 'compose' ? WRITTEN.compose : WRITTEN.llm },
  ];
  if (verifier != null) facts.push({ name: 'Checked by', value: verifier, meaning: VERIFIERS[verifier] ?? ENTAILMENT });
  facts.push({ name: 'Matrix products', value: matrix });
  for (const [stage, record] of Object.entries(models)) {
    if (record === undefined) continue;
    const name = `Model for ${(STAGES[stage] ?? stage).toLowerCase()}`;
    facts.push({ name, value: record.model, meaning: `prompt “${record.prompt}”` });
  }
  const { requests, promptTokens, completionTokens, cost } = usage;
  if (requests === 0) return facts;
  const tokens = `${number(promptTokens)} in, ${number(completionTokens)} out`;
  return [
    ...facts,
    { name: 'Model calls', value: count(requests, 'call') },
    { name: 'Tokens', value: tokens, meaning: 'read and written by the model' },
    { name: 'Cost', value: cost === null ? 'unknown' : number(cost) },
  ];
}

function Prompts({ prompts }: Pick<Digest, 'prompts'>) {
  const facts = Object.entries(prompts).map(([name, hash]) => ({ name, value: <code>{hash}</code> }));
  if (facts.length === 0) return null;
  return (
    <>
      <h4>Prompts</h4>
      <p class="muted">Each with a hash that changes when its wording changes.</p>
      <Facts facts={facts} />
    </>
  );
}

function ExperimentPart({ experiment }: { readonly experiment: NonNullable<Digest['experiment']> }) {
  const { key, version, variant, overridden } = experiment;
  return (
    <p>
      Part of the experiment{' '}
      <a href={hrefOf({ view: 'experiment', key })}>
        <bdi>{key}</bdi>
      </a>{' '}
      (version {version}): {variant === null ? 'the reader does not take part' : `variant “${variant}”`}
      {overridden && ', but it does not count, because the request set options itself'}.
    </p>
  );
}

function SelectionFacts({ selection, keyPoints }: Digest) {
  const { gate } = selection;
  const slight = keyPoints.filter(({ reason }) => reason === 'level').length;
  return (
    <details>
      <summary>Selection of key points</summary>
      <p>
        {count(gate.kept, 'key point')} {gate.kept === 1 ? 'was' : 'were'} relevant enough to be selected
        {gate.dropped > 0 && `, ${number(gate.dropped)} were not`}
        {slight > 0 && `; ${number(slight)} would hardly help to answer`}. All settings, as the API names them:
      </p>
      <Table
        label="Settings"
        heads={['Setting', 'Value']}
        rows={leavesOf(selection).map(([path, value]) => [<code key={path}>{path}</code>, describeOption(value)])}
      />
    </details>
  );
}
