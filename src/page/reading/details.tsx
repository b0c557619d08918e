import type { ComponentChildren } from 'preact';
import { FIGURES } from '../parts/figures.ts';
import { describeOption, leavesOf } from '../parts/options.ts';
import { Table } from '../parts/table.tsx';
import { count, duration, number } from '../parts/words.ts';
import { hrefOf } from '../route.ts';
import { useReading } from './reading.ts';

export function Details() {
  const { digest } = useReading();
  const { experiment, keyPoints, documents, timings, metrics, engine, usage, prompts, selection } = digest;
  const total = Object.values(timings).reduce((sum, each) => sum + each, 0);
  const times = { ...timings, total };
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
        <dl class="facts">
          {FIGURES.map(({ key, name, meaning, write }) => {
            const value = metrics[key];
            return (
              value !== null && (
                <div key={key}>
                  <dt>{name}</dt>
                  <dd>
                    <strong>{write(value)}</strong> <span class="muted">{meaning}</span>
                  </dd>
                </div>
              )
            );
          })}
        </dl>
      ) : (
        <p>No key point was selected, so there is nothing to measure.</p>
      )}
      <Fields name="Engine" of={{ ...engine, usage, prompts }}>
        A hash of a prompt changes when its wording changes.
      </Fields>
      <Fields
        name="Time"
        of={Object.fromEntries(Object.entries(times).map(([stage, time]) => [stage, duration(time)]))}
      />
      {experiment !== null && <ExperimentPart experiment={experiment} />}
      <Fields name="Selection of key points" of={selection}>
        {count(selection.gate.kept, 'key point')} {selection.gate.kept === 1 ? 'was' : 'were'} relevant enough to be
        selected
        {selection.gate.dropped > 0 && `, ${number(selection.gate.dropped)} were not`}.
      </Fields>
    </details>
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

interface FieldsProps {
  readonly name: string;
  readonly of: object;
  readonly children?: ComponentChildren;
}

/** All fields of a part of the digest, as the API names them. */
function Fields({ name, of, children }: FieldsProps) {
  return (
    <details>
      <summary>{name}</summary>
      <p>{children}</p>
      <Table
        label={name}
        heads={['Field', 'Value']}
        rows={leavesOf(of).map(([path, value]) => [<code key={path}>{path}</code>, describeOption(value)])}
      />
    </details>
  );
}

interface ExperimentPartProps {
  readonly experiment: {
    readonly key: string;
    readonly version: number;
    readonly variant: string | null;
    readonly overridden: boolean;
  };
}

function ExperimentPart({ experiment: { key, version, variant, overridden } }: ExperimentPartProps) {
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
