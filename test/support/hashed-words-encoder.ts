export { HashedWordsEncoder } from '../../src/testing.ts';
