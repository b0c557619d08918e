import { hrefOf } from '../route.ts';
import { type Fact, FactList } from './fact-list.tsx';
import { Timings } from './metric-facts.tsx';
import type { StoredDigest } from './stored-digest.ts';
import { count } from './words.ts';

const STAGE_WORDS: Readonly<Record<string, string>> = {
  extract: 'reading',
  select: 'selecting',
  write: 'writing',
  judge: 'judging',
  encode: 'encoding',
};

/** What made the digest, how long that took, and what it cost. */
export function EngineFacts({ digest }: StoredDigest) {
  const { engine, timings, experiment, prompts } = digest;
  return (
    <>
      <details>
        <summary>Engine</summary>
        <FactList
          facts={[
            { name: 'Key points found by', value: engine.extractor },
            { name: 'Encoder', value: engine.encoder, meaning: 'decides which key points are similar' },
            { name: 'Relevance by', value: engine.relevanceEncoder, meaning: 'compares key points with the question' },
            {
              name: 'Written by',
              value: engine.writer,
              meaning:
                engine.writer === 'compose'
                  ? 'the documents’ own words, without a language model'
                  : 'a language model, checked against the quotes',
            },
            ...verifierFacts(digest),
            { name: 'Matrix products', value: engine.matrix },
            ...modelFacts(digest),
            ...usageFacts(digest),
          ]}
        />
        {Object.keys(prompts).length > 0 && (
          <>
            <h4>Prompts</h4>
            <p class="muted">Each with a hash that changes when its wording changes.</p>
            <FactList facts={Object.entries(prompts).map(([name, hash]) => ({ name, value: <code>{hash}</code> }))} />
          </>
        )}
      </details>
      <details>
        <summary>Time</summary>
        <Timings timings={timings} />
      </details>
      {experiment !== null && (
        <p>
          Part of the experiment{' '}
          <a href={hrefOf({ view: 'experiment', key: experiment.key })}>
            <bdi>{experiment.key}</bdi>
          </a>{' '}
          (version {experiment.version}):{' '}
          {experiment.variant === null ? (
            'the reader does not take part'
          ) : (
            <>
              variant “<bdi>{experiment.variant}</bdi>”
            </>
          )}
          {experiment.overridden && ', but it does not count, because the request set options itself'}.
        </p>
      )}
    </>
  );
}

const VERIFIER_WORDS: Readonly<Record<string, string>> = {
  llm: 'a language model compares each sentence with the quotes that it cites',
  rules: 'only the wording of the quotes is kept',
  off: 'nothing was checked',
};

/** Only where a language model worded something. */
function verifierFacts({ engine: { verifier } }: StoredDigest['digest']): Fact[] {
  if (verifier == null) return [];
  const meaning =
    VERIFIER_WORDS[verifier] ?? 'an entailment model compares each sentence with the quotes that it cites';
  return [{ name: 'Checked by', value: verifier, meaning }];
}

function modelFacts({ engine: { models } }: StoredDigest['digest']): Fact[] {
  return Object.entries(models).flatMap(([stage, record]) =>
    record === undefined
      ? []
      : {
          name: `Model for ${STAGE_WORDS[stage] ?? stage}`,
          value: record.model,
          meaning: `prompt “${record.prompt}”`,
        },
  );
}

/** Only where something was asked outside of the service. */
function usageFacts({ usage }: StoredDigest['digest']): Fact[] {
  if (usage.requests === 0) return [];
  const { requests, promptTokens, completionTokens, cost } = usage;
  return [
    { name: 'Model calls', value: count(requests, 'call') },
    {
      name: 'Tokens',
      value: `${promptTokens.toLocaleString('en-US')} in, ${completionTokens.toLocaleString('en-US')} out`,
      meaning: 'read and written by the model',
    },
    {
      name: 'Cost',
      value: cost === null ? 'unknown' : cost.toLocaleString('en-US', { maximumSignificantDigits: 3 }),
    },
  ];
}
