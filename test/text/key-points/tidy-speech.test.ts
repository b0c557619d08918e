import { expect, test } from 'vitest';
import { tidySpeech } from '../../../src/text/key-points/tidy-speech.ts';

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
