import type { ComponentChildren } from 'preact';
import { FIGURES } from '../parts/figures.ts';
import { describeOption, leavesOf } from '../parts/options.ts';
import { Facts, Table } from '../parts/table.tsx';
import { count, duration, number } from '../parts/words.ts';
import { useReading } from './reading.ts';

export function Details() {
  const { digest } = useReading();
  const { experiment, keyPoints, documents, timings, metrics, engine, usage, prompts, selection } = digest;
  const total = Object.values(timings).reduce((sum, each) => sum + each, 0);
  const times = { ...timings, total };
  const figures = FIGURES.flatMap(({ key, name, meaning, write }) => {
    const value = metrics[key];
    if (value === null) return [];
    const told = (
      <>
        <strong>{write(value)}</strong> <span class="muted">{meaning}</span>
      </>
    );
    return [[name, told] as const];
  });
  return (
    <details class="read-facts">
      <summary>Details</summary>
      <h3>Figures</h3>
      {keyPoints.some(({ selected }) => selected) ? (
        <Facts of={figures} />
      ) : (
        <p>No key point was selected, so there is nothing to measure.</p>
      )}
      <h3>Expert: how it was made</h3>
      <Fields name="Engine" of={{ ...engine, usage, prompts }}>
        A hash of a prompt changes when its wording changes.
      </Fields>
      <Fields
        name="Time"
        of={Object.fromEntries(Object.entries(times).map(([stage, time]) => [stage, duration(time)]))}
      />
      {experiment !== null && <Fields name="Experiment" of={experiment} />}
      <Fields
        name="Documents"
        of={Object.fromEntries(documents.map(({ id, status, excluded }) => [id, excluded ?? status]))}
      >
        {count(keyPoints.length, 'key point')} in {count(documents.length, 'document')}. Known: already read for the
        earlier digest; date: published outside the dates given.
      </Fields>
      <Fields name="Selection of key points" of={selection}>
        {count(selection.gate.kept, 'key point')} {selection.gate.kept === 1 ? 'was' : 'were'} relevant enough to be
        selected
        {selection.gate.dropped > 0 && `, ${number(selection.gate.dropped)} were not`}.
      </Fields>
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
