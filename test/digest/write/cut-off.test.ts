import { expect, test } from 'vitest';
import type { SummarySentence } from '../../../src/contract/index.ts';
import { createDigest } from '../../../src/digest/index.ts';
import { givenPoints, goodBut } from '../../support/good-model.ts';
import { modelApp, NOTES, NOTES_INTENT } from '../../support/model-app.ts';

const request = { documents: NOTES, intent: NOTES_INTENT };
/** Sentences that stand once the writer has begun the one after them. */
const STANDING = 2;

test('what a writer did not say before it was cut off is not told in the words of the documents', async () => {
  const script = goodBut(['write'], (asked) => {
    const sentences = givenPoints(asked).flatMap((theme) => theme.map(({ text, number }) => `${text} [${number}]`));
    return { hang: 'mid-body', text: sentences.slice(0, STANDING + 1).join(' ') };
  });
  const { parts } = await modelApp(script);
  const cutting = new AbortController();
  const told: SummarySentence[] = [];
  const onSentence = (sentence: SummarySentence): void => {
    told.push(sentence);
    if (told.length === STANDING) cutting.abort(new Error('nobody waits'));
  };
  await expect(createDigest(request, parts, { onSentence }, cutting.signal)).rejects.toThrow('nobody waits');
  expect(told).toHaveLength(STANDING);
});
