import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tidy } from '../../../src/text/index.ts';
import { tidySpeech } from '../../../src/text/key-points/tidy-speech.ts';

test.each([
  ['**Bold** and *light* and __both__ words', 'Bold and light and both words'],
  ['A [link](https://a.b/c_(d) "title") and ![image](x.png)', 'A link and image'],
  ['Rates fell.[3] They rose.[citation needed]', 'Rates fell. They rose.'],
  ['Use `npm ci` here', 'Use npm ci here'],
  ['snake_case_name and 2 * 3 * 4 stay', 'snake_case_name and 2 * 3 * 4 stay'],
  ['over\n  two\r\nlines\tand\u00a0more', 'over two lines and more'],
  ['quoted\n> over two lines', 'quoted over two lines'],
  ['zero\u200bwidth\ufeff and\u0000NUL and soft\u00adhyphen', 'zerowidth and NUL and softhyphen'],
  ['a\u200db', 'ab'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['👩\u200d🚀 flies', '👩\u200d🚀 flies'],
  ['a<br>b &amp; <b>c</b>', 'a b & c'],
  ['Pin `client==0.21.*` and `core__api`', 'Pin client==0.21.* and core__api'],
  ['Pin client==0.21.* now', 'Pin client==0.21.* now'],
  ['an icon \ue000 of a font', 'an icon \ue000 of a font'],
  ['*It ends here.*', 'It ends here.'],
  ['spaces before marks , like these .', 'spaces before marks, like these.'],
])('%j', (quote, text) => {
  expect(tidy(quote)).toBe(text);
});

test('plain words come back as they are', () => {
  const word = fc.stringMatching(/^[a-zà-ÿ]{1,10}$/u);
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), (words) => {
      expect(tidy(words.join(' '))).toBe(words.join(' '));
    }),
  );
});

test.each([
  ["{vocalsound} That 's the plan , and we 're on time .", "That's the plan, and we're on time."],
  ['Um , so I uh think we [laughter] should uh-huh ship .', 'I think we should ship.'],
  ['The the cost is is high', 'The cost is high'],
  ['talk about the {disfmarker} about the {disfmarker} working data', 'talk about the working data'],
  ['what you int {disfmarker} what you draw is this', 'What you draw is this', 'What'],
  ['and fou {disfmarker} four people came', 'and four people came'],
  ['I w- want th the L_C_D_ and two T_V_s .', 'I want the LCD and two TVs.'],
  ['Well we have to move now , you know , to the next item .', 'We have to move now, to the next item.'],
  ['It was " a good idea " , he said .', 'It was "a good idea", he said.'],
  ['No , the tests fail .', 'No, the tests fail.'],
  ['<noise> (laughter) Yeah , okay , the budget is fixed .', 'The budget is fixed.'],
  ['She said that a cat is here', 'She said that a cat is here'],
  ["I don't know , do n't ask", "I don't know, don't ask"],
  ['So that everyone knows , we publish it .', 'So that everyone knows, we publish it.'],
  ['{vocalsound}', ''],
  ['Um .', ''],
])('%j', (quote, text, first = '') => {
  expect(tidySpeech(first ? quote.replace('what', first) : quote)).toBe(text);
});
