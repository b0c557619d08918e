import { expect, test } from 'vitest';
import { shownAddress } from '../../../src/models/index.ts';

test.each([
  ['http://127.0.0.1:11434/v1', 'http://127.0.0.1:11434/v1'],
  ['https://me:hush@models.example/v1', 'https://models.example/v1'],
  ['https://models.example/v1/?api_key=hush#hush', 'https://models.example/v1/'],
])('%s is shown without what may be secret', (address, shown) => {
  expect(shownAddress(address)).toBe(shown);
});
