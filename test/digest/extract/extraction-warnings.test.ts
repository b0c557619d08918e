import { expect, it } from 'vitest';
import { extractionWarnings } from '../../../src/digest/assemble.ts';
import type { ReadDocument } from '../../../src/digest/extract/read-documents.ts';

it.each([
  ['default', 1, 9, []],
  ['published', 0, 9, []],
  ['published', 1, 9, [/^1 of 10 key points .* it was discarded\.$/u]],
  ['default', 6, 4, [/^6 of 10 .* may work better\.$/u]],
  ['published', 6, 4, [/^6 of 10 .* may work better\.$/u]],
] as const)('%s, %i of them without a quote and %i with one', (preset, unverified, found, expected) => {
  const quoted = { text: 'Fares rose.', start: 0, end: 11, selfContained: 1 };
  const extraction = {
    keyPoints: Array.from({ length: found }, () => quoted),
    unverified: Array.from({ length: unverified }, () => ({ text: 'Fares fell.', quote: 'fares fell' })),
    language: 'eng',
    words: 10,
    unreadReason: null,
  };
  const document: ReadDocument = {
    document: { id: 'a', text: 'Fares rose.' },
    place: 0,
    hash: 'h',
    status: 'ok',
    excluded: null,
    error: null,
    extraction,
  };
  const failed: ReadDocument = { ...document, status: 'failed', extraction: null };
  const warnings = extractionWarnings({ documents: [document, failed] }, preset);
  expect(warnings).toEqual(expected.map((each) => expect.stringMatching(each)));
});
