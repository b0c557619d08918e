import { expect, it } from 'vitest';
import { readStatement } from '../../src/summary/contradiction/read-statement.ts';
import { contradiction, opposition } from '../../src/summary/contradiction.ts';

const OPPOSED: [string, string][] = [
  ['The plan created 20 million jobs.', 'The plan created 35 million jobs.'],
  [
    'The stimulus created about 2 million new jobs in its first year.',
    'The stimulus created 3 million jobs in its first year.',
  ],
  ['Remote work increases productivity.', 'Remote work reduces productivity.'],
  [
    'Remote work increases productivity, according to a Stanford study.',
    'A 2021 survey found that remote work lowers productivity.',
  ],
  [
    'Remote work raises productivity because commuting falls away.',
    'Remote work reduces productivity, since meetings multiply.',
  ],
  ['Vaccines are safe.', 'Vaccines are dangerous.'],
  ['Vaccines cause autism.', 'Vaccines do not cause autism.'],
  ['Vaccines cause autism.', 'There is no evidence that vaccines cause autism.'],
  ['The company should raise wages.', 'The company should not raise wages.'],
  ['Congress approved the treaty.', 'Congress rejected the treaty.'],
  ['The unemployment rate stands at 5 percent.', 'The unemployment rate stands at 8%.'],
  ['The museum was founded in 1998.', 'The museum was founded in 2003.'],
  ['Abortion is legal in Texas.', 'Abortion is illegal in Texas.'],
  ['The project cost $2 billion.', 'The project cost 5 billion dollars.'],
  ['Half of workers prefer working from home.', 'Eighty percent of workers prefer working from home.'],
  ['The government failed to meet its target.', 'The government met its target.'],
  ['The minister refused to sign the agreement.', 'The minister signed the agreement.'],
  ['The storm killed twelve people.', 'The storm killed 30 people.'],
  ['In 2019, the plan created 2 million jobs.', 'The plan created 3 million jobs in 2019.'],
  ['Most employees support the four-day week.', 'Few employees support the four-day week.'],
  ['Nuclear power is cheap.', 'Nuclear power is expensive.'],
  ['The policy led to an increase in rents.', 'The policy led to a decrease in rents.'],
  ['Immigrants strengthen the economy.', 'Immigrants weaken the economy.'],
  ['I support the bill.', 'I oppose the bill.'],
  ['We should ban fracking.', 'We should allow fracking.'],
  [
    'The law allows firms to dismiss workers without notice.',
    'The law does not allow firms to dismiss workers without notice.',
  ],
  ['The senator voted for the bill.', 'The senator voted against the bill.'],
  ['The battery lasts 5 hours.', 'The battery lasts 10 hours.'],
  ['More than 60% of staff want to stay remote.', 'Fewer than 40% of staff want to stay remote.'],
  ['The treaty never entered into force.', 'The treaty entered into force.'],
  ['The senate will pass the bill.', 'The senate will not pass the bill.'],
  ['Coffee isn’t bad for the heart.', 'Coffee is bad for the heart.'],
  ['The meeting was held without a quorum.', 'The meeting was held with a quorum.'],
  [
    'Remote workers are more productive than office workers.',
    'Remote workers are less productive than office workers.',
  ],
  ['Inflation rose last year.', 'Inflation fell last year.'],
  ['The programme is no longer funded.', 'The programme is funded.'],
  ['The drug has a positive effect on memory.', 'The drug has a negative effect on memory.'],
  ['The flood displaced between 20,000 and 25,000 people.', 'The flood displaced 40,000 people.'],
  ['The dam will be completed by 2030.', 'The dam will be completed by 2035.'],
  ['Employees save 40 minutes a day by working from home.', 'Employees save 72 minutes a day by working from home.'],
  ['We should abandon marriage because it is outdated.', 'We should not abandon marriage because it is a tradition.'],
];

const COMPATIBLE: [string, string][] = [
  ['Germany created 2 million jobs.', 'France created 3 million jobs.'],
  ['The plan created 20 million jobs.', 'The plan built 35 million homes.'],
  ['In 2019 the plan created 2 million jobs.', 'In 2021 the plan created 3 million jobs.'],
  ['The plan created 20 million jobs.', 'The plan created 20.3 million jobs.'],
  ['The plan created more than 20 million jobs.', 'The plan created 35 million jobs.'],
  ['Remote work increases productivity.', 'Remote work reduces stress.'],
  ['Remote work increases productivity for routine tasks.', 'Remote work reduces productivity for creative tasks.'],
  ['High wages attract workers.', 'Low wages attract workers.'],
  ['Rising prices hurt families.', 'Falling prices hurt families.'],
  ['Rich countries pollute more.', 'Poor countries pollute less.'],
  ['Workers who do not commute are happier.', 'Workers who commute are happier.'],
  ['Not only does remote work help, it saves money.', 'Remote work helps and saves money.'],
  ['Remote work does not reduce productivity.', 'Remote work increases productivity.'],
  ['The law is not legal.', 'The law is illegal.'],
  ['Some workers support the plan.', 'Some workers oppose the plan.'],
  ['It increased by 5 percent.', 'It increased by 7 percent.'],
  ['This bill will cost $5 billion.', 'This bill will cost $7 billion.'],
  ['A survey of 500 workers found lower stress.', 'A survey of 800 workers found lower stress.'],
  ['The study covered 500 workers.', 'The study covered 800 workers.'],
  ['We hired 20 people.', 'We hired 35 people.'],
  ['Section 5 bans smoking.', 'Section 7 bans smoking.'],
  ['Immigration increases crime.', 'Crime reduces immigration.'],
  ['China exports 20 billion dollars of goods to Germany.', 'Germany exports 35 billion dollars of goods to China.'],
  ['The company should raise wages.', 'The company did not raise wages.'],
  ['Reduced rents increase demand.', 'Increased rents reduce demand.'],
  ['If taxes rise, growth falls.', 'If taxes fall, growth rises.'],
  ['Remote work can be lonely.', 'Remote work may not be lonely.'],
  ['Does remote work increase productivity?', 'Remote work reduces productivity.'],
  ['Men earn 20 percent more than they did in 1990.', 'Women earn 30 percent more than they did in 1990.'],
  ['Unemployment rose in March.', 'Unemployment fell in April.'],
  ['The tax raised prices.', 'The subsidy lowered prices.'],
  ['The drug is safe for adults.', 'The drug is not safe for children.'],
  ['After 5 years half of firms fail.', 'After 10 years half of firms fail.'],
  ['Firms can grow by increasing wages.', 'Firms can grow by reducing wages.'],
  ['Unemployment was 5% in 2010.', 'Unemployment was 9% in 2015.'],
  ['The bridge is 300 metres long.', 'The bridge is 20 metres wide.'],
  ['Wages rose by 5 percent.', 'Prices rose by 7 percent.'],
  ['Workers are not required to attend.', 'Managers are required to attend.'],
  ['Die Steuern sind nicht sicher für die Wirtschaft.', 'Die Steuern sind sicher für die Wirtschaft.'],
  ['Las vacunas no causan autismo.', 'Las vacunas causan autismo.'],
  ['Windows 10 is stable.', 'Windows 11 is unstable.'],
  ['Demand increased in the first quarter.', 'Demand decreased in the second quarter.'],
  ['Young workers prefer the office.', 'Workers do not prefer the office.'],
  ['Not all workers benefit from remote work.', 'Workers benefit from remote work.'],
  ['World War 2 began in 1939.', 'World War 1 began in 1914.'],
  ['Prices rose.', 'Prices are falling.'],
  ['Tools that increase focus are popular.', 'Tools that reduce focus are popular.'],
  ['The plan passed the House in 2009.', 'The plan passed the Senate in 2010.'],
  ['Our businesses have created nearly 12 million jobs.', 'Our businesses have created more than 14 million jobs.'],
  ['The Union has 28 members.', 'The Union has 6 founding members.'],
  ['The deficit fell by $200 billion.', 'The deficit fell to $500 billion.'],
  ['He supported the war.', 'He opposed the war.'],
  ['The vote was 51 to 49.', 'The vote was 98 to 2.'],
  ['Congress must not raise taxes on the middle class.', 'Congress must raise taxes on the rich.'],
  ['Women in the office are safe.', 'Women outside the office are unsafe.'],
  ['The firm employs 200 people in Paris.', 'The firm employs 350 people in Berlin.'],
  ['The average commute takes 30 minutes each way.', 'The average commute takes 1 hour a day.'],
  ['People who work from home sleep 20 minutes longer.', 'People who work at night sleep 40 minutes longer.'],
  ['Employees save 72 minutes a day.', 'Employees save $4,000 a year.'],
  ['Teams with high trust succeed.', 'Teams with low trust fail.'],
  ['Two years ago, crime was rising.', 'Five years ago, the war was not over.'],
  [
    'The public debt at the start of the present year was $40 million.',
    'The public debt at the start of the present year was $29 million.',
  ],
  ['Guantanamo Bay should be closed, for it is barbaric.', 'Guantanamo Bay is no longer needed and should be closed.'],
  ['Women are not as strong as men.', 'Women are strong.'],
  ['More businesses will be started.', 'More businesses will be closed.'],
  ['Time is no longer on his side.', 'Now is the time for both sides to act.'],
  ['', ''],
  ['?!', '20'],
  ['The bridge was built in 1998.', 'The bridge was built in 1998.'],
];

it.each(OPPOSED)('holds “%s” against “%s”, both ways', (a, b) => {
  expect([contradiction(a, b), contradiction(b, a)]).toEqual([true, true]);
});

it.each(COMPATIBLE)('lets “%s” and “%s” stand', (a, b) => {
  expect([contradiction(a, b), contradiction(b, a)]).toEqual([false, false]);
});

const on = (a: string, b: string, commonWords: readonly string[] = []) => {
  const [left, right] = [readStatement(a), readStatement(b)];
  return left && right && opposition(left, right, new Set(commonWords));
};

it.each([
  ['The plan increases rents.', 'The plan reduces rents.', 'whether the plan “increases” or “reduces” rents'],
  ['The plan does not cut rents, some say.', 'The plan cuts rents.', null],
  ['The plan never cut rents.', 'The plan cut rents.', 'whether the plan cut rents'],
  ['The plan created 20 million jobs.', 'The plan created 35 million jobs.', null],
  ['Congress should raise taxes.', 'Congress should not raise taxes.', 'whether Congress should raise taxes'],
  ['I support the bill.', 'I oppose the bill.', '“support the bill” against “oppose the bill”'],
])('says on what “%s” and “%s” are opposed', (a, b, phrase) => {
  expect(on(a, b)).toBe(phrase);
});

it('uses what is known not to be a name', () => {
  const [a, b] = ['Pangolins are safe.', 'Pangolins are dangerous.'];
  expect(on(a, b)).toBe('whether Pangolins are “safe” or “dangerous”');
  expect(on(a, b, ['pangolins'])).toBe('whether pangolins are “safe” or “dangerous”');
});

it('stays quick on a long text', () => {
  const long = 'The plan created 20 million jobs, and that is not all. '.repeat(4000);
  const start = performance.now();
  contradiction(long, long.replaceAll('20', '35'));
  expect(performance.now() - start).toBeLessThan(5000);
});
