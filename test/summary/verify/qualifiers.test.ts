import { describe, expect, test } from 'vitest';
import { changesQualifier } from '../../../src/summary/verify/qualifiers.ts';
import { HELD_OUT, HONEST, PAIRS } from './pairs.ts';

const CHANGED: readonly (readonly [string, string])[] = [
  ['The drug may cause headaches in children.', 'The drug will cause headaches in children.'],
  ['The drug may cause headaches in children.', 'The drug causes headaches in children.'],
  ['The minister allegedly took bribes from builders.', 'The minister took bribes from builders.'],
  ['The factory in Bonn is expected to close in 2025.', 'The factory in Bonn has closed.'],
  ['The council plans to ban cars in the centre.', 'The council has banned cars in the centre.'],
  ['At least 200 people died in the flood.', 'At most 200 people died in the flood.'],
  ['More than 200 people died in the flood.', 'Fewer than 200 people died in the flood.'],
  ['More than 200 people died in the flood.', 'In the flood 200 people died.'],
  ['In the flood 200 people died.', 'Over 200 people died in the flood.'],
  ['Rents rose by up to 5 percent.', 'Rents rose by at least 5 percent.'],
  ['Some teachers oppose the new exam.', 'All teachers oppose the new exam.'],
  ['Some teachers oppose the new exam.', 'Teachers oppose the new exam.'],
  ['Few teachers oppose the new exam.', 'Many teachers oppose the new exam.'],
  ['Half of the teachers oppose the new exam.', 'All teachers oppose the new exam.'],
  ['Almost all teachers oppose the new exam.', 'All teachers oppose the new exam.'],
  ['Fewer than a third of members voted.', 'More than a third of members voted.'],
  ['Teachers oppose the new exam.', 'Every teacher opposes the new exam.'],
  ['Some teachers oppose the new exam.', 'Most teachers oppose the new exam.'],
  ['There is little evidence that the diet works.', 'There is evidence that the diet works.'],
  ['The storm nearly killed two cyclists.', 'The storm killed two cyclists.'],
  ['All states except Hungary signed the treaty.', 'All states including Hungary signed the treaty.'],
  ['All states including Hungary signed the treaty.', 'All states except Hungary signed the treaty.'],
  ['Sales fell before the charge came in.', 'Sales fell after the charge came in.'],
  ['The bridge was built before 1950.', 'The bridge was built after 1950.'],
  ['Unemployment fell to 5 percent.', 'Unemployment fell by 5 percent.'],
  ['Profits rose by $5 million.', 'Profits rose to $5 million.'],
];

const KEPT: readonly (readonly [string, string])[] = [
  ['Rents rose, and the council may sell its flats.', 'Rents rose.'],
  ['The drug may cause headaches in children.', 'The drug might cause headaches in children.'],
  ['The drug may cause headaches in children.', 'In children, the drug can possibly cause headaches.'],
  ['More than 200 people died in the flood.', 'Over 200 people died in the flood.'],
  ['Most teachers oppose the new exam.', 'The new exam is opposed by most teachers.'],
  ['Many teachers oppose the new exam.', 'Teachers oppose the new exam, many of them loudly.'],
  ['In May 2020 sales fell by half.', 'Sales fell by half in May 2020.'],
  ['Sales fell over 10 years.', 'In 10 years sales fell.'],
  ['The council plans to ban cars.', 'A ban of cars is planned by the council.'],
  ['The charge rose from 5 to 7 euros.', 'The charge rose to 7 euros.'],
  ['The bridge will be finished by 2026.', 'The bridge will be finished in 2026.'],
  ['It costs 5 euros a year.', 'It costs 5 euros every year.'],
  ['Smokers are more likely to get cancer.', 'Smokers get cancer more often.'],
  ['A little girl found the dog.', 'A girl found the dog.'],
  ['All states except Hungary signed the treaty.', 'Hungary has not signed the treaty.'],
  ['The shop aims to win young buyers with new brands.', 'The shop has new brands to win young buyers.'],
  ['Revenue will reach 9 million, up from 8 million.', 'Revenue will reach 9 million, compared to 8 million.'],
  ['The deal drives revenue to 9 million.', 'The deal drives revenue up to 9 million.'],
  ['Few teachers oppose the new exam.', 'The new exam is opposed by few teachers.'],
  ['In the last few years rents rose.', 'In the last years rents rose.'],
  ['Almost all teachers oppose the new exam.', 'Nearly all teachers oppose the new exam.'],
  ['Manche Lehrer sind nicht für die Prüfung.', 'Lehrer sind für die Prüfung.'],
];

describe('a word that limits the claim is left off, added or exchanged', () => {
  test.each(CHANGED)('%s -> %s', (quote, sentence) => {
    expect(changesQualifier(sentence, [quote])).toBe(true);
    expect(changesQualifier(sentence, [quote, sentence])).toBe(false);
  });
});

describe('nothing is', () => {
  test.each(KEPT)('%s -> %s', (quote, sentence) => {
    expect(changesQualifier(sentence, [quote])).toBe(false);
  });

  test.each([...PAIRS, ...HELD_OUT].filter(({ kind }) => (HONEST as readonly string[]).includes(kind)))(
    '$sentence',
    ({ sentence, quotes }) => {
      expect(changesQualifier(sentence, quotes)).toBe(false);
    },
  );
});
