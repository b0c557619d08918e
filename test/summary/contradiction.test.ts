import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contradict } from '../../src/summary/index.ts';
import { HELD_OUT, PAIRS } from './verify/pairs.ts';

type Pairs = readonly (readonly [a: string, b: string])[];

const OPPOSED: Pairs = [
  ['The turbines harm bird populations.', 'The turbines do not harm bird populations, says the agency.'],
  ['The vaccine does not prevent severe illness.', 'The vaccine prevents severe illness in 94% of people.'],
  ['Car traffic has fallen.', 'Car traffic has not fallen since buses became free.'],
  ['Banning phones had a measurable effect on marks.', 'Banning phones had no measurable effect on marks.'],
  ['Output fell by 13 percent.', 'A study found that output rose by 13 percent.'],
  ['Rent control encourages landlords to repair houses.', 'Rent control discourages landlords from repairing.'],
  ['The committee approved the budget.', 'The committee never approved the budget.'],
  ['Nuclear power is expensive.', 'Nuclear power is cheap, she said.'],
  ['The minister signed the agreement.', 'The minister refused to sign the agreement.'],
  ['The treaty was not ratified.', 'The treaty was ratified in 1998.'],
  ['Injuries went down.', 'Injuries went up.'],
  ['Rents in the city halved in 2021.', 'Rents in the city doubled in 2021.'],
  ['The company continued production.', 'The company stopped production.'],
  ['Rural schools have teachers.', 'Rural schools lack teachers.'],
  ['Rural schools lack teachers.', 'Rural schools have teachers.'],
  ['Both climbers died in the fall.', 'Both climbers survived the fall.'],
  ['The south side of the town was flooded.', 'The north side of the town was flooded.'],
  ['The factory stands west of Bonn.', 'The factory stands east of Bonn.'],
  ['The fund sold shares of the bank.', 'The fund bought shares of the bank.'],
  ['The council rejected the offer.', 'The council accepted the offer.'],
  ['The price excludes breakfast.', 'The price includes breakfast.'],
  ['The museum closed its garden.', 'The museum opened its garden.'],
  ['The council rejected the budget.', 'The council approved the budget.'],
  ['The party lost seats.', 'The party gained seats.'],
  ['The market shrank in 2021.', 'The market expanded in 2021.'],
  ["The law doesn't protect tenants.", 'The law protects tenants from eviction.'],
  ['The mayor was not re-elected.', 'The mayor was re-elected.'],
  ['The bridge is unsafe for trucks.', 'The bridge is safe for trucks.'],
  ['Rents are going to fall next year.', 'Rents are going to rise next year.'],
  ['The company admits polluting the river.', 'The company denies polluting the river.'],
  ['Every student failed the exam.', 'No student failed the exam.'],
  ['Most residents support the tram.', 'Few residents support the tram.'],
  ['The plan can be financed.', 'The plan cannot be financed.'],
  ['The court upheld the case.', 'The court dismissed the case.'],
];

const COMPATIBLE: Pairs = [
  ['The turbines do not harm birds.', 'The turbines do not harm bird populations.'],
  ['It is a myth that vaccines cause autism.', 'Vaccines do not cause autism.'],
  ['The plan is not only cheap but safe.', 'The plan is cheap and safe.'],
  ['Free buses have not reduced traffic.', 'Car traffic has not fallen since buses became free.'],
  ['Nobody needed hospital treatment.', 'No patient had to be treated in hospital.'],
  ['The drug is unsafe.', 'The drug is not safe.'],
  ['Higher wages reduce poverty.', 'Poverty falls where wages are higher.'],
  ['Die Steuer hilft nicht.', 'Die Steuer hilft.'],
  ['Does the tax not help?', 'The tax helps.'],
  ['Net income decreased to $19 million.', 'Net income declined to $19 million from $103 million.'],
  ['Licences reduce the complexity of management.', 'Licences come without the complexity of management.'],
  ['The app is less intuitive than the site.', 'They want a more intuitive app, as the site has.'],
  ['Schools have no teachers.', 'Rural schools lack teachers.'],
  ['The lack of teachers harms schools.', 'Schools are harmed by a lack of teachers.'],
  ['Prices fell.', 'Wages rose while the shops were closed.'],
  ['It works here but not there.', 'It works here.'],
  ['Remote work increases productivity.', 'Remote work increases productivity because commuting falls away.'],
];

/** Opposed in ways that these rules do not see (the parity of denials in `states.ts` does for some). */
const NOT_SEEN: Pairs = [
  ['The drug lowers blood pressure.', 'The drug hardly lowers blood pressure.'],
  ['Tenants are not protected against eviction.', 'Tenants are protected against eviction.'],
  ['Salaries outpace prices.', 'Salaries lag behind prices.'],
  ['The talks succeeded on Friday.', 'The talks collapsed on Friday.'],
  ['The strike was called.', 'The strike was called off.'],
  ['The minister announced a new tax.', 'The minister ruled out a new tax.'],
  ['With subsidies, farms would close.', 'Without subsidies, farms would close.'],
  ['Men earn less than women.', 'Women earn less than men.'],
  ['Vaccines cause autism.', 'There is no evidence that vaccines cause autism.'],
  ['Remote workers are less productive than office staff.', 'Remote workers are more productive than office staff.'],
  ['Injuries went down.', 'Injuries per worker went up.'],
];

const both = ([a, b]: readonly [string, string]) => [contradict(a, b), contradict(b, a)];

describe('statements that contradict each other, either way round', () => {
  test.each(OPPOSED)('“%s” and “%s”', (a, b) => {
    expect(both([a, b])).toEqual([true, true]);
  });
});

describe('statements that do not', () => {
  test.each(COMPATIBLE)('“%s” and “%s”', (a, b) => {
    expect(both([a, b])).toEqual([false, false]);
  });

  test('what is not seen is as documented', () => {
    expect(NOT_SEEN.map(both)).toEqual(NOT_SEEN.map(() => [false, false]));
  });

  test('no statement contradicts itself, and which is first does not matter', () => {
    const statement = fc.constantFrom(...[...OPPOSED, ...COMPATIBLE, ...NOT_SEEN].flat());
    fc.assert(
      fc.property(statement, statement, (a, b) => {
        expect(contradict(a, a)).toBe(false);
        expect(contradict(a, b)).toBe(contradict(b, a));
      }),
      { numRuns: 500 },
    );
  });
});

test('of the pairs for the levels, those turned around are seen, and of honest ones none', () => {
  const seen = (kinds: readonly string[]) =>
    [...PAIRS, ...HELD_OUT]
      .filter(({ kind, quotes }) => kinds.includes(kind) && quotes.length === 1)
      .map(({ sentence, quotes: [quote] }) => [sentence, contradict(sentence, quote)] as const);
  expect(seen(['negation']).filter(([, isSeen]) => !isSeen)).toEqual([]);
  expect(seen(['close', 'paraphrase']).filter(([, isSeen]) => isSeen)).toEqual([]);
});

test('stays quick on a long text', () => {
  const long = 'The plan did not create jobs, and that is not all that rose. '.repeat(1000);
  const start = performance.now();
  contradict(long, long.replaceAll('not', '').replaceAll('rose', 'fell'));
  expect(performance.now() - start).toBeLessThan(5000);
});
