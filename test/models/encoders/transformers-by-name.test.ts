import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TransformersSpec } from '../../../src/models/encoders/encoder-specs.ts';
import { readModelConfig } from '../../../src/models/encoders/model-folder.node.ts';
import { EMBEDDED, missingWeights, transformersEncoder } from '../../../src/models/index.node.ts';
import type { Encoder } from '../../../src/models/index.ts';
import { dot } from '../../selection/kernel/random.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { specsOf } from './transport.ts';

const SHIPPED = join(EMBEDDED.models, EMBEDDED.spec.model);
const TEXTS = ['The council approved a congestion charge.', 'Cars pay a fee in the centre.', 'Slugs avoid copper.', ''];

function specOf(spec: object): TransformersSpec {
  const [found] = specsOf({ t: { kind: 'transformers', ...spec } }).transformers.values();
  return found;
}

/** A folder of models in which the model that ships has another name. */
function renamed(name: string): string {
  const folder = temporaryFolder();
  symlinkSync(SHIPPED, join(folder, name));
  return folder;
}

describe('a model by the name of its folder', () => {
  let plain: Encoder;
  beforeAll(async () => {
    plain = await transformersEncoder();
  });

  test('the same weights under another name give the same vectors under another id', async () => {
    const folder = renamed('my-model');
    const encoder = await transformersEncoder({ models: folder, spec: specOf({ model: 'my-model' }) });
    expect(encoder.profile.id).toBe('transformers/my-model/q8/2');
    expect(encoder.profile).toMatchObject({ sentenceDimensions: 384, tokenDimensions: 384, languages: null });
    expect(await encoder.encode(TEXTS)).toEqual(await plain.encode(TEXTS));
  });

  test('poolings differ, in unit length; tokens do not', async () => {
    const folder = renamed('my-model');
    const [mean, cls, last] = await Promise.all(
      ['mean', 'cls', 'last'].map((pooling) =>
        transformersEncoder({ models: folder, spec: specOf({ model: 'my-model', pooling }) }),
      ),
    );
    const ids = [mean, cls, last].map(({ profile }) => profile.id);
    expect(ids).toEqual([
      'transformers/my-model/q8/2',
      'transformers/my-model/q8/2/cls',
      'transformers/my-model/q8/2/last',
    ]);
    const found = await Promise.all([mean, cls, last].map((encoder) => encoder.encode(TEXTS)));
    for (let i = 0; i < 3; i++) {
      const sentences = found.map((each) => each[i].sentence);
      for (const sentence of sentences) expect(Math.hypot(...sentence)).toBeCloseTo(1, 5);
      expect(dot(sentences[0], sentences[1])).toBeLessThan(0.99);
      expect(dot(sentences[0], sentences[2])).toBeLessThan(0.99);
      expect(dot(sentences[1], sentences[2])).toBeLessThan(0.9999);
      for (const each of found) expect(each[i].tokens).toEqual(found[0][i].tokens);
    }
  });

  test('prefixes move the vector, and are no tokens of the text', async () => {
    const folder = renamed('my-model');
    const spec = specOf({ model: 'my-model', queryPrefix: 'query: ', textPrefix: 'passage: ' });
    const encoder = await transformersEncoder({ models: folder, spec });
    const [text] = await encoder.encode([TEXTS[0]]);
    const [query] = (await encoder.encodeQueries?.([TEXTS[0]])) ?? [];
    const [bare, whole] = await plain.encode([TEXTS[0], `passage: ${TEXTS[0]}`]);
    expect(text.sentence).toEqual(whole.sentence);
    expect(query.sentence).not.toEqual(text.sentence);
    expect([text.tokenIds, query.tokenIds]).toEqual([bare.tokenIds, bare.tokenIds]);
    expect(text.tokens).toEqual(whole.tokens.slice(-text.tokens.length));
    expect((await encoder.encode(['']))[0].tokenIds).toHaveLength(0);
    expect(encoder.profile.id).toMatch(/^transformers\/my-model\/q8\/2\/[0-9a-f]{12}$/);
  });
});

describe("a model's folder", () => {
  function folderOf(config: object, tokenizer: object): string {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'm', 'onnx'), { recursive: true });
    writeFileSync(join(folder, 'm', 'config.json'), JSON.stringify(config));
    writeFileSync(join(folder, 'm', 'tokenizer_config.json'), JSON.stringify(tokenizer));
    return folder;
  }

  test.each([
    [{ hidden_size: 768, max_position_embeddings: 514 }, { model_max_length: 512 }, [768, 512]],
    [{ d_model: 512 }, { model_max_length: 1e30 }, [512, 1e30]],
    [{ dim: 768, max_position_embeddings: 512 }, {}, [768, 512]],
    [{ n_embd: 64, n_positions: 128 }, {}, [64, 128]],
    [{ hidden_size: 8 }, {}, [8, Number.POSITIVE_INFINITY]],
  ])('%j and %j', (config, tokenizer, [dimensions, maxTokens]) => {
    expect(readModelConfig(folderOf(config, tokenizer), 'm')).toEqual({ dimensions, maxTokens });
  });

  test('weights are looked for by precision', () => {
    const folder = folderOf({ hidden_size: 8 }, {});
    writeFileSync(join(folder, 'm', 'onnx', 'model_fp16.onnx'), '');
    expect(missingWeights(folder, 'm', 'fp16')).toBeNull();
    expect(missingWeights(folder, 'm', 'fp32')).toBe('it needs m/onnx/model.onnx in TESSERA_MODELS');
    expect(missingWeights(undefined, 'm', 'q8')).toBe('it needs m/onnx/model_quantized.onnx in TESSERA_MODELS');
  });
});
