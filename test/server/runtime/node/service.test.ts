import { describe, expect, test } from 'vitest';
import { startService } from '../../../../src/server/index.node.ts';
import { ConfigurationError, readConfiguration } from '../../../../src/server/index.ts';
import { TINY, tinyEntailmentModel } from '../../../support/tiny-entailment-model.ts';

function starting(spec: object, models: string | undefined) {
  const TESSERA_ENCODERS = JSON.stringify({ nli: { kind: 'entailment', model: TINY, ...spec } });
  return startService(readConfiguration({ TESSERA_ENCODERS, TESSERA_MODELS: models, TESSERA_DB: ':memory:' }));
}

describe('a service is not started with an entailment model that', () => {
  test('has no folder, or no weights of the precision', async () => {
    const problem = `TESSERA_ENCODERS is wrong at /nli: it needs ${TINY}/onnx/model_quantized.onnx in TESSERA_MODELS.`;
    for (const models of [undefined, tinyEntailmentModel()]) {
      const started = starting({}, models);
      await expect(started).rejects.toThrow(problem);
      await expect(started).rejects.toBeInstanceOf(ConfigurationError);
    }
  });

  test('knows no entailment', async () => {
    const models = tinyEntailmentModel({ config: { id2label: { 0: 'negative', 1: 'positive' } } });
    await expect(starting({ dtype: 'fp32' }, models)).rejects.toThrow(
      `TESSERA_ENCODERS is wrong at /nli: ${TINY}/config.json needs a label "entailment" beside others; its labels are "negative", "positive".`,
    );
  });
});
