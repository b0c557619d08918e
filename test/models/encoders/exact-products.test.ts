import { join, resolve } from 'node:path';
import { AutoModel, AutoModelForTokenClassification } from '@xenova/transformers';
import { expect, test } from 'vitest';
import { loadModel, SHIPPED_MODELS } from '../../../src/models/encoders/model-folder.node.ts';

test.each([
  ['AutoModel', 'all-MiniLM-L6-v2', 'last_hidden_state'],
  ['AutoModelForTokenClassification', 'reader', 'logits'],
] as const)('%s: %s computes the same bits as with products that cannot overflow', async (kind, name, output) => {
  const folder = join(SHIPPED_MODELS, name);
  const { model, tokenizer } = await loadModel(kind, folder, 'q8');
  const loader = { AutoModel, AutoModelForTokenClassification }[kind];
  const session_options = { intraOpNumThreads: 1, extra: { session: { x64quantprecision: '1' } } };
  const safe = await loader.from_pretrained(resolve(folder), { dtype: 'q8', session_options });
  for (const text of ['Yes.', 'The council voted for the new bridge after three winters. '.repeat(6)]) {
    const input = tokenizer(text);
    const [one, other] = await Promise.all([model(input), safe(input)]);
    expect(one[output].data.length).toBeGreaterThan(0);
    expect(Buffer.from(one[output].data.buffer).equals(Buffer.from(other[output].data.buffer))).toBe(true);
  }
});
