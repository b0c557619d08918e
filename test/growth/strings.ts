/** In a piece, another word or number each time. */
const [WORD, NUMBER] = ['\ufffc', '\ufffd'];
/** Pieces that hostile texts repeat: one character, numbers with every separator, abbreviations, markup, markers. */
const CORE: readonly string[] = [
  ...'aA \n\u2028"\'“.…,-—*_#[](|漢。\u00ad',
  ...['-1 ', '12:30 ', '1.1.1 ', '1 ', '1/2 ', "1'000", '1,', 'hundred and ', 'million '],
  ...[
    'Mr. ',
    'A. ',
    '? ',
    '... ',
    'Anna Bell ',
    'The Bonn ',
    'The cat sat. ',
    'aя漢1 ',
    'um, ',
    `Z${WORD} `,
    `${NUMBER} `,
  ],
  ...['[1]', '[1] a. b ', '[1, 2] ', '- a\n', '# a\n', '| a | b |\n', 'Ann: yes\n', '<p ', '<table><tr><td>a', '[{'],
];
const MORE: readonly string[] = [
  ...'\t\r\u0085><){\\/:;`~@&%$+=!?0½س😀\u200d\u202e',
  ...['e\u0301', 'U.S.', 'No. 1 ', '. ', '" ', '"a', '"The cat sat." ', ' \n', '\r\n', 'a\n\n', 'a-\n', '123 ', 'two-'],
  ...['and a half ', 'per ', 'McDonald-', 'However, ', ' because ', 'not ', 'I I ', 'sk-', '[1-3]', '[[1]](https://a)'],
  ...['[a](b', '![', '1. a\n', '**a** ', '__', '> a\n', '|---|---|\n', '---\n', '```\n', 'Q: a? A: b. ', '[00:01] '],
  ...[
    'a@b.',
    'https://a.b/c?',
    '2021-01-02 ',
    '<b>',
    '</p>',
    '<!--',
    '<td>',
    '<li>a',
    '&amp;',
    '{"a":[',
    '\\"',
    '<think>',
  ],
  ...['{"verdicts":[{"a":1},', '---\na: b\n', "a's ", 'R&D ', 'per cent '],
];
export const UNITS = { core: CORE, all: [...CORE, ...MORE] };

/** What stands around the repeated piece. */
export const FRAMES: readonly ((middle: string) => string)[] = [
  (middle) => `The cat sat. [1]${middle}x [1]`,
  (middle) => middle,
  (middle) => `${middle}x`,
  (middle) => `Ann: ${middle}x [2]\nThe cat sat.\n${middle.slice(0, 20)}\n`,
];

export function hostile(unit: string, frame: (middle: string) => string, length: number): string {
  const words = [...'abcdefghij'];
  let count = 0;
  const next = (place: string) => {
    const digits = String(1000 + count++);
    return place === NUMBER ? digits : digits.replace(/\d/g, (digit) => words[Number(digit)]);
  };
  return frame(unit.repeat(Math.ceil(length / unit.length)).replace(/[\ufffc\ufffd]/g, next));
}
