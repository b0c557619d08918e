import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groundedIn, QUESTIONS, questionChecker } from '../../../src/lab/questions/document-questions.ts';

const all = () => true;
const words = (count: number) => Array.from({ length: count }, (_, n) => `word${n}`).join(' ');

/** A question on a fact. */
const fact = (question: string, answer: string) => ({ question, answer, kind: 'fact' as const });

test('fourteen words are a question, fifteen are not, whatever the answer has', () => {
  const check = questionChecker(all);
  const given = [13, 14, 15, 40].map((count) => fact(`${words(count)}?`, words(30)));
  expect(check(given).map(({ fault }) => fault)).toEqual([null, null, 'longQuestions', 'longQuestions']);
});

test('an answer that needs reasoning may be in other words than the document', () => {
  const check = questionChecker(() => false);
  expect(
    check([{ ...fact('Why?', 'ghosts'), kind: 'reasoning' }, fact('How?', 'so')]).map(({ fault }) => fault),
  ).toEqual([null, 'ungrounded']);
});

test.each([
  ['', 'an answer'],
  ['…?', 'an answer'],
  ['What is it?', ''],
  ['What is it?', '—'],
])('takes nothing of "%s" and "%s"', (question, answer) => {
  expect(questionChecker(all)([fact(question, answer)])[0].fault).toBe('empty');
});

test('knows a question again in another case and punctuation, from one answer to the next', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-zé0-9]+( [a-zé0-9]+){0,6}$/),
      fc.constantFrom('?', ' ?', '!?', '…', ''),
      (text, end) => {
        const check = questionChecker(all);
        expect(check([fact(`${text}?`, 'a')])[0].fault).toBeNull();
        expect(check([fact(`  “${text.toUpperCase()}”${end}`, 'b')])[0].fault).toBe('duplicates');
        expect(check([fact(`${text} more?`, 'b')])[0].fault).toBeNull();
      },
    ),
  );
});

test('a question that could not be used may be asked again', () => {
  const check = questionChecker((answer) => answer === 'rust');
  expect(check([fact('Why?', 'ghosts')])[0].fault).toBe('ungrounded');
  expect(check([fact('Why?', 'rust')])[0].fault).toBeNull();
});

test('answers in the words of the document are grounded, others are not', () => {
  const grounded = groundedIn(
    'The ferry to Sund was taken out of service on 3 May after inspectors had found RUST in its hull.',
  );
  for (const answer of ['rust in its hull', 'Rust', 'its hulls', '3 May', 'an inspector', 'yes', 'No.']) {
    expect(grounded(answer), answer).toBe(true);
  }
  for (const answer of ['a broken engine', '4 June', 'Norwegian trade unions went on strike', 'lightning']) {
    expect(grounded(answer), answer).toBe(false);
  }
});

test('grounding does not need spaces between words', () => {
  const grounded = groundedIn('轮渡公司在五月三日宣布停止服务，因为船体生锈。');
  expect(grounded('船体生锈')).toBe(true);
  expect(grounded('工会罢工')).toBe(false);
});

test('reads what models make of the form, and refuses what is none', () => {
  const read = (value: unknown) => QUESTIONS.schema.safeParse(value).data;
  expect(read({ questions: [{ question: ' How\n many? ', answer: 12 }, 'text', { question: 'Who?' }] })).toEqual([
    fact('How many?', '12'),
    fact('', ''),
    fact('Who?', ''),
  ]);
  expect(read([{ question: 'Why?', answer: 'so', kind: 'reasoning' }])).toEqual([
    { ...fact('Why?', 'so'), kind: 'reasoning' },
  ]);
  expect(read([{ question: 'Who?', answer: 'she' }])).toHaveLength(1);
  expect(read('Who?')).toBeUndefined();
  expect(read({ question: 'Who?', answer: 'she' })).toBeUndefined();
});
