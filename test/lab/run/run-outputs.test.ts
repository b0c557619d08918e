import { expect, test } from 'vitest';
import type { PlannedOutput } from '../../../src/lab/run/plan-run.ts';
import { IN_TURN } from '../../../src/lab/run/run-outputs.ts';

function planned(arm: string, datum: string, reading = 'sentences'): PlannedOutput {
  return {
    ...{
      arm,
      datum,
      key: `${arm} ${datum}`,
      outputKey: `${arm} ${datum}`,
      reading,
      usesModel: false,
      asksModel: false,
    },
    case: { id: datum, collection: 'c' },
    collection: { id: 'c', documents: [] },
    documents: [],
    identity: null,
    output: () => Promise.reject(new Error('nothing is made here')),
  };
}

test('cases come in turn, and of each way of reading the first output goes ahead, alone', () => {
  const grid = ['a', 'b'].flatMap((datum) => [
    ...['x', 'y', 'z'].map((arm) => planned(arm, datum)),
    planned('u', datum, 'model'),
  ]);
  const stages = IN_TURN.stages?.(grid) ?? [];
  expect(stages.map((stage) => stage.map(({ arm, datum }) => arm + datum))).toEqual(
    ['a', 'b'].flatMap((datum) => [[`x${datum}`], [`u${datum}`], [`y${datum}`, `z${datum}`]]),
  );
});
