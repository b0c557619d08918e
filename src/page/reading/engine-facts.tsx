import { hrefOf } from '../route.ts';
import { type Fact, FactList } from './fact-list.tsx';
import { Timings } from './metric-facts.tsx';
import type { StoredDigest } from './stored-digest.ts';
import { count } from './words.ts';

const STAGE_WORDS: Readonly<Record<string, string>> = {
  extract: 'reading',
  select: 'choosing',
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
        <summary>What made it</summary>
        <FactList
          facts={[
            { name: 'Statements found by', value: engine.extractor, meaning: 'what cuts documents into statements' },
            { name: 'Meaning told by', value: engine.encoder, meaning: 'what tells how alike statements are' },
            { name: 'Fit told by', value: engine.relevanceEncoder, meaning: 'what compares them with the question' },
            {
              name: 'Written by',
              value: engine.writer,
              meaning:
                engine.writer === 'compose'
                  ? 'the documents’ own wording, without a language model'
                  : 'a language model, checked against the quotes',
            },
            ...verifierFacts(digest),
            { name: 'Arithmetic', value: engine.matrix },
            ...modelFacts(digest),
            ...usageFacts(digest),
          ]}
        />
        {Object.keys(prompts).length > 0 && (
          <>
            <h4>Instructions given to the model</h4>
            <p class="muted">Each with a fingerprint (hash) that changes when its wording does.</p>
            <FactList facts={Object.entries(prompts).map(([name, hash]) => ({ name, value: <code>{hash}</code> }))} />
          </>
        )}
      </details>
      <details>
        <summary>How long it took</summary>
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
            'its reader takes no part'
          ) : (
            <>
              variant “<bdi>{experiment.variant}</bdi>”
            </>
          )}
          {experiment.overridden && ', but the request set options itself, so it does not count'}.
        </p>
      )}
    </>
  );
}

const VERIFIER_WORDS: Readonly<Record<string, string>> = {
  llm: 'a language model reads each sentence with the quotes that it cites',
  rules: 'only the quotes’ own wording stands',
  off: 'nothing was checked',
};

/** Only where a language model worded something. */
function verifierFacts({ engine: { verifier } }: StoredDigest['digest']): Fact[] {
  if (verifier == null) return [];
  const meaning = VERIFIER_WORDS[verifier] ?? 'an entailment model reads each sentence with the quotes that it cites';
  return [{ name: 'Checked by', value: verifier, meaning }];
}

function modelFacts({ engine: { models } }: StoredDigest['digest']): Fact[] {
  return Object.entries(models).flatMap(([stage, record]) =>
    record === undefined
      ? []
      : {
          name: `Model for ${STAGE_WORDS[stage] ?? stage}`,
          value: record.model,
          meaning: `instructions “${record.prompt}”`,
        },
  );
}

/** Only where something was asked outside of the service. */
function usageFacts({ usage }: StoredDigest['digest']): Fact[] {
  if (usage.requests === 0) return [];
  const { requests, promptTokens, completionTokens, cost } = usage;
  return [
    { name: 'Calls of the model', value: count(requests, 'call') },
    {
      name: 'Tokens',
      value: `${promptTokens.toLocaleString('en-US')} in, ${completionTokens.toLocaleString('en-US')} out`,
      meaning: 'pieces of words that the model read and wrote',
    },
    {
      name: 'Cost',
      value: cost === null ? 'not known' : cost.toLocaleString('en-US', { maximumSignificantDigits: 3 }),
    },
  ];
}
