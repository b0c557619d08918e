import { describe, expect, test } from 'vitest';
import { language, languageAmong } from '../../../src/text/index.ts';

describe('the language of a text', () => {
  test.each([
    ['How to bake bread?'],
    ['How to boil eggs?'],
    ['How to make money?'],
    ['Bread recipes'],
    ['Does it work on Linux?'],
    ['Why did sales fall?'],
    [''],
    ['42'],
    ['?!'],
    [
      Array.from(
        { length: 40 },
        (_, n) => `| AB-${n} | ${['Drill', 'Saw', 'Lamp', 'Pump', 'Fan'][n % 5]} | ${n} |`,
      ).join('\n'),
    ],
  ])('is not guessed from "%s"', (text) => {
    expect(language(text)).toBe('und');
  });

  test.each([
    [
      'What did the congestion charge change, and how much of what it raised went to new trams in the centre of the town, as the council had said that it would?',
      'eng',
    ],
    ['Was hat die Maut in der Stadt bewirkt, und wer hat dafür bezahlt?', 'deu'],
    ['Quelles sont les conséquences du péage sur la circulation ?', 'fra'],
    ['ما هي المخاطر؟', 'arb'],
  ])('of "%s" is %s', (text, code) => {
    expect(language(text)).toBe(code);
  });
});

const ENGLISH = [
  'You may work from abroad for thirty days. Ask before you travel, and say what you need when you are in Spain.',
  'The last changes break the build of some: upgrade when you have time. Which could be soon.',
];

describe('the language of a short question beside its documents', () => {
  test.each([
    'How many days may I work from Spain?',
    'What do buyers complain about most?',
    'Why do customers cancel?',
  ])('"%s" is in English where they are', (text) => {
    expect(languageAmong(text, 'eng', ENGLISH)).toBe('eng');
  });

  test('is theirs where they use most of its words, whatever its letters look like', () => {
    const text = 'Which changes could break my build when I upgrade?';
    expect(language(text)).not.toBe('eng');
    expect(languageAmong(text, 'eng', [])).not.toBe('eng');
    expect(languageAmong(text, 'eng', ENGLISH)).toBe('eng');
  });

  test.each([
    ['Combien de jours puis-je travailler depuis l’Espagne ?'],
    ['Wie viele Tage darf ich aus Spanien arbeiten, und wer entscheidet?'],
    ['ما هي المخاطر؟'],
  ])('"%s" is what it is by itself, although they are in English', (text) => {
    expect(languageAmong(text, 'eng', ENGLISH)).toBe(language(text));
    expect(languageAmong(text, 'eng', ENGLISH)).not.toBe('eng');
  });
});
