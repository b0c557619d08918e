import { expect, test } from 'vitest';
import { isFinished } from '../../../src/lab/haystack/write-until-valid.ts';

test.each([
  'It is done.',
  'Is it?\n',
  'She said: "It is done."',
  '„Es ist fertig.“',
  '»Es ist fertig«',
  '«C’est fini.»',
  '(All of it.)',
  '*It is done.*',
  '終わった。',
  '「終わった」',
  'यह हो गया।',
  'تم ذلك؟',
  'Եղավ։',
  'ត្រូវបានធ្វើ។',
  'มันเสร็จแล้ว',
])('%j ends as a sentence does', (text) => {
  expect(isFinished(text)).toBe(true);
});

test.each(['It is', 'It is,', 'It is:', 'It is –', 'It is (', '終わ', '終わり、', 'تم،', 'In 1990', ''])(
  '%j breaks off',
  (text) => {
    expect(isFinished(text)).toBe(false);
  },
);
