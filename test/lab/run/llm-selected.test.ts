import { expect, test } from 'vitest';
import { judgeIdentity } from '../../../src/lab/results/judge-identity.ts';
import { planRun } from '../../../src/lab/run/plan-run.ts';
import { partsWithModel } from '../../cli/benchmark/run-command.ts';
import { CITY, CITY_INTENT } from '../../support/documents.ts';
import { good, goodBut } from '../../support/good-model.ts';
import type { Script } from '../../support/scripted-model-server.ts';

const SET = {
  name: 'city',
  collections: [{ id: 'city', documents: [...CITY] }],
  cases: [{ id: 'a', collection: 'city', intent: CITY_INTENT }],
  made: [],
};

async function outputOf(script: Script) {
  const { deps } = await partsWithModel(script);
  const systems = [{ name: 'picked', options: { selection: { strategy: 'llm' as const } }, needsModel: true }];
  const signal = new AbortController().signal;
  const judge = judgeIdentity({ judge: 'embedded' }, deps);
  const [planned] = (await planRun({ path: 'run.json', systems }, SET, deps, { judge, signal })) ?? [];
  return planned.output(signal, undefined);
}

test('what a model selected is scored as such', async () => {
  const { figures } = await outputOf(good);
  expect(figures['digest.selected']).toBeGreaterThan(0);
});

test.each([
  ['selects nothing', { text: '{"picked":[]}' }],
  ['selects what is not there', { text: '{"picked":[900]}' }],
  ['cannot be read', { text: 'all of them' }],
] as const)('where it %s, another strategy does not take its name', async (_, reply) => {
  await expect(outputOf(goodBut(['select'], () => reply))).rejects.toThrow('dpp-map');
});
