import type { RequestDocument } from '../../src/digest/index.ts';
import { seeded } from '../selection/kernel/random.ts';

const LEANING = ['It', 'This', 'They', 'However, it'];

interface VariedText {
  readonly seed: number;
  readonly documents: number;
  readonly sentences: number;
  /** Whether neighbours speak of the same things, as in a report or a meeting. */
  readonly runsOn: boolean;
  /** Whether documents have weights of their own. */
  readonly weighed: boolean;
}

/**
 * Documents of made-up sentences over ten subjects of fourteen words: some repeat what another document says, some lean on
 * the sentence before, some are spoken.
 */
export function variedDocuments({ seed, documents, sentences, runsOn, weighed }: VariedText): RequestDocument[] {
  const random = seeded(seed);
  const subjects = Array.from({ length: 10 }, (_, s) => Array.from({ length: 14 }, (_, w) => word(s, w)));
  const said: string[] = [];
  const sentence = (subject: readonly string[]): string => {
    if (said.length > 0 && random.next() < 0.15) return said[random.below(said.length)];
    const words = Array.from({ length: 5 + random.below(6) }, () => subject[random.below(subject.length)]);
    const opening = random.next() < 0.15 ? LEANING[random.below(LEANING.length)] : 'The council';
    const text = `${opening} says that ${words.join(' ')} in the year ${1900 + random.below(99)}.`;
    said.push(text);
    return text;
  };
  return Array.from({ length: documents }, (_, d) => {
    const speaker = d % 4 === 3 ? 'MAYOR: ' : '';
    const text = Array.from({ length: sentences }, (_, i) => {
      const subject = runsOn ? Math.floor(i / 7) + d : random.below(10);
      return speaker + sentence(subjects[subject % 10]);
    }).join(speaker === '' ? ' ' : '\n');
    return { id: `d${d}`, text, ...(weighed && { weight: 0.5 + random.next() * 2 }) };
  });
}

/** What some of the subjects are asked about; several facets. */
export function variedIntent(subjects: readonly number[]): string {
  return subjects.map((s) => `What do they say about ${word(s, 0)} ${word(s, 3)} ${word(s, 5)}?`).join(' ');
}

const SOUNDS = ['ba', 'ke', 'li', 'mo', 'nu', 'pa', 're', 'si', 'to', 'vu'];

function word(subject: number, index: number): string {
  return SOUNDS[subject] + SOUNDS[index % 10] + SOUNDS[(subject + index) % 7] + (index > 9 ? 'n' : '');
}
