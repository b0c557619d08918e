import { describe, expect, test } from 'vitest';
import { contradictsQuotes } from '../../../src/summary/verify/negation.ts';

const AGAINST: readonly (readonly [string, readonly string[]])[] = [
  ['The turbines harm bird populations.', ['The turbines do not harm bird populations, says the agency.']],
  ['The vaccine does not prevent severe illness.', ['The vaccine prevents severe illness in 94% of people.']],
  ['Car traffic has fallen.', ['Car traffic has not fallen since buses became free.']],
  ['Banning phones had a measurable effect on marks.', ['Banning phones had no measurable effect on marks.']],
  ['Output fell by 13 percent.', ['A study found that output rose by 13 percent.']],
  ['Rent control encourages landlords to repair houses.', ['Rent control discourages landlords from repairing.']],
  ['The committee approved the budget.', ['The committee never approved the budget.']],
  ['Nuclear power is expensive.', ['Nuclear power is cheap, she said.']],
  ['The minister signed the agreement.', ['The minister refused to sign the agreement.']],
  ['Vaccines cause autism.', ['There is no evidence that vaccines cause autism.']],
  ['The treaty was not ratified.', ['The treaty was ratified in 1998.', 'Parliament ratified the treaty.']],
  ['Injuries went down.', ['Injuries per worker went up.', 'Injuries went up.']],
  ['Remote workers are less productive than office staff.', ['Remote workers are more productive than office staff.']],
  ['Rents in the city halved in 2021.', ['Rents in the city doubled in 2021.']],
  ['The company continued production.', ['The company stopped production.']],
  ['Rural schools have teachers.', ['Rural schools lack teachers.']],
  ['Rural schools lack teachers.', ['Rural schools have teachers.']],
  ['Both climbers died in the fall.', ['Both climbers survived the fall.']],
  ['The south side of the town was flooded.', ['The north side of the town was flooded.']],
  ['The factory stands west of Bonn.', ['The factory stands east of Bonn.']],
  ['The fund sold shares of the bank.', ['The fund bought shares of the bank.']],
  ['The council rejected the offer.', ['The council accepted the offer.']],
  ['The price excludes breakfast.', ['The price includes breakfast.']],
  ['The museum closed its garden.', ['The museum opened its garden.']],
  ['The council rejected the budget.', ['The council approved the budget.']],
  ['The party lost seats.', ['The party gained seats.']],
  ['The market shrank in 2021.', ['The market expanded in 2021.']],
  ["The law doesn't protect tenants.", ['The law protects tenants from eviction.']],
];

const NOT_AGAINST: readonly (readonly [string, readonly string[]])[] = [
  ['The turbines do not harm birds.', ['The turbines do not harm bird populations.']],
  ['Critics deny that the plan works, while Ana says it works.', ['The plan works.', 'The plan does not work.']],
  ['Ana says the plan works, while Ben says it does not work.', ['The plan works.', 'The plan does not work.']],
  ['One source found no effect on marks, others saw marks rise.', ['It had no effect on marks.', 'Marks rose.']],
  [
    'Restaurants cut jobs, but economists found no loss of jobs.',
    ['Restaurants cut jobs.', 'There was no loss of jobs.'],
  ],
  ['It is a myth that vaccines cause autism.', ['Vaccines do not cause autism.']],
  ['The plan is not only cheap but safe.', ['The plan is cheap and safe.']],
  ['Free buses have not reduced traffic.', ['Car traffic has not fallen since buses became free.']],
  ['Nobody needed hospital treatment.', ['No patient had to be treated in hospital.']],
  ['The drug is unsafe.', ['The drug is not safe.']],
  ['Side effects were mild, and no patient died.', ['Side effects were mild.', 'No patient died.']],
  ['Higher wages reduce poverty.', ['Poverty falls where wages are higher.']],
  ['Higher wages cut poverty but raise prices.', ['Higher wages reduce poverty.', 'Prices rise with wages.']],
  ['Die Steuer hilft nicht.', ['Die Steuer hilft.']],
  ['Does the tax not help?', ['The tax helps.']],
  ['The tax helps.', []],
  ['Net income decreased to $19 million.', ['Net income declined to $19 million from $103 million.']],
  ['Licences reduce the complexity of management.', ['Licences come without the complexity of management.']],
  ['The app is less intuitive than the site.', ['They want a more intuitive app, as the site has.']],
  ['Schools have no teachers.', ['Rural schools lack teachers.']],
  ['The lack of teachers harms schools.', ['Schools are harmed by a lack of teachers.']],
  [
    'The town lies south of Bonn.',
    ['The north wind is cold.', 'The town lies south of Bonn, beyond the northern hills.'],
  ],
  ['Prices fell.', ['Wages rose while the shops were closed.']],
  ['The plan created 20 million jobs.', ['The plan created 35 million jobs.', 'The plan created 20 million jobs.']],
];

describe('what turns its quotes around', () => {
  test.each(AGAINST)('%s against %j', (sentence, quotes) => {
    expect(contradictsQuotes(sentence, quotes)).toBe(true);
  });
});

describe('what does not', () => {
  test.each(NOT_AGAINST)('%s of %j', (sentence, quotes) => {
    expect(contradictsQuotes(sentence, quotes)).toBe(false);
  });
});

/** Sentences that turn a quote around, written against the checks. */
const ATTACKS: readonly (readonly [string, string])[] = [
  ['The mayor was not re-elected.', 'The mayor was re-elected.'],
  ['The bridge is unsafe for trucks.', 'The bridge is safe for trucks.'],
  ['Rents are going to fall next year.', 'Rents are going to rise next year.'],
  ['The company admits polluting the river.', 'The company denies polluting the river.'],
  ['Every student failed the exam.', 'No student failed the exam.'],
  ['Most residents support the tram.', 'Few residents support the tram.'],
  ['The drug lowers blood pressure.', 'The drug hardly lowers blood pressure.'],
  ['Tenants are not protected against eviction.', 'Tenants are protected against eviction.'],
  ['The plan can be financed.', 'The plan cannot be financed.'],
  ['The court upheld the case.', 'The court dismissed the case.'],
];
const UNSEEN: readonly (readonly [string, string])[] = [
  ['Salaries outpace prices.', 'Salaries lag behind prices.'],
  ['The talks succeeded on Friday.', 'The talks collapsed on Friday.'],
  ['The strike was called.', 'The strike was called off.'],
  ['The minister announced a new tax.', 'The minister ruled out a new tax.'],
  ['With subsidies, farms would close.', 'Without subsidies, farms would close.'],
  ['Men earn less than women.', 'Women earn less than men.'],
];

test('what is caught and what is not is as docs/support.md says', () => {
  const caught = (pairs: typeof ATTACKS) => pairs.map(([sentence, quote]) => contradictsQuotes(sentence, [quote]));
  expect(caught(ATTACKS)).toEqual(ATTACKS.map(() => true));
  expect(caught(UNSEEN)).toEqual(UNSEEN.map(() => false));
});
