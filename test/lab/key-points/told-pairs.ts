/** A point, and a text that would take its place. */
export type Pair = readonly [point: string, text: string];

/** Pairs that the rule was chosen on. */
export const SAME: readonly Pair[] = [
  [
    'In the winter months, November to March, the boat to the island is laid up.',
    'The ferry to the island does not run from November to March.',
  ],
  ['From November to March the ferry does not run.', 'The ferry does not run from November to March.'],
  [
    'Traffic in the centre fell by 18% in the first year.',
    'In its first year, traffic in the centre fell by 18 percent.',
  ],
  [
    'Vehicle traffic in central areas dropped 18 percent during the first year of the scheme.',
    'Traffic in the centre fell by 18 percent in the first year.',
  ],
  ['Drivers of cars pay a fine of 40 euros.', 'The fine is 40 euros for cars.'],
  ['Shop owners report that sales have dropped.', 'Shop owners say their sales dropped.'],
  ['Helmets reduce the risk of head injury by half.', 'Wearing helmets halves the risk of head injuries.'],
  [
    'The vaccine protects older adults against severe illness.',
    'Older adults are protected from severe illness by the vaccine.',
  ],
  ['Marie Curie won two Nobel prizes.', 'Two Nobel prizes were won by Marie Curie.'],
  ['The school has two teachers.', 'There are two teachers at the school.'],
  ['Bread is expensive on the island.', 'On the island, bread is dear.'],
  [
    'Homeschooled children miss out on social contact with other children.',
    'Children taught at home lack social contact with other children.',
  ],
  [
    'According to the agency, air pollution shortens life by nine months on average.',
    'Air pollution shortens lives by nine months on average.',
  ],
  ['The European Central Bank raised interest rates in July 2022.', 'In July 2022 the ECB raised its interest rates.'],
  ['Regular exercise lowers blood pressure.', 'Blood pressure is lowered by regular exercise.'],
  ['The bridge was closed in 1998 after cracks were found.', 'Cracks led to the closing of the bridge in 1998.'],
  ['Residents can park for free.', 'Parking is free for residents.'],
  ['Deforestation destroys the habitats of many species.', 'Many species lose their habitats to deforestation.'],
];

export const OTHER: readonly Pair[] = [
  ['The school has two teachers.', 'Everything is the same.'],
  ['The same pumps have been used in every harbour of the northern coast since the storm.', 'Everything is the same.'],
  [
    'Traffic in the centre did not fall in the first year, the council says.',
    'Traffic in the centre fell by 18 percent in the first year.',
  ],
  ['Traffic in the centre did not fall in the first year.', 'Traffic in the centre fell in the first year.'],
  ['The fine is 90 euros for vans.', 'The fine is 40 euros for cars.'],
  ['Shop owners say sales rose.', 'Shop owners say sales fell.'],
  ['A ticket for the ferry costs 12 crowns.', 'The ferry does not run from November to March.'],
  ['The ferry carries 60 cars and 200 passengers in summer.', 'The ferry does not run from November to March.'],
  ['The Berlin office hired 30 people in 2021.', 'The Munich office hired 30 people in 2021.'],
  ['The bank raised interest rates in July 2022.', 'The bank raised interest rates in March 2022.'],
  ['Helmets are mandatory for children under 12.', 'Helmets reduce the risk of head injury by half.'],
  ['The vaccine does not prevent transmission.', 'The vaccine prevents transmission.'],
  ['Pfizer sued Moderna over a patent.', 'Moderna sued Pfizer over a patent.'],
  ['Bread is dear on the island.', 'The island has one shop.'],
  [
    'Residents of the centre complain about noise from delivery vans at night.',
    'Residents of the centre can park for free.',
  ],
  ['The bridge was built in 1931 by a Danish firm.', 'The bridge was closed in 1998 after cracks were found.'],
  ['Exercise lowers blood pressure.', 'Exercise strengthens bones.'],
  [
    'Homeschooling is difficult to regulate and stops children from mixing with others.',
    'Homeschooling lets parents choose what their children learn.',
  ],
  [
    'The council spent 4 million euros on cameras, signs and software for the zone.',
    'The zone is controlled by cameras at 21 crossings.',
  ],
  ['Deforestation destroys the habitats of many species.', 'Deforestation releases carbon that forests store.'],
  ['The museum is closed on Mondays.', 'The museum is closed on Tuesdays.'],
  ['The minister denies that the dam was damaged.', 'The dam was damaged.'],
];

/** Pairs that it was held against afterwards. */
export const SAME_UNSEEN: readonly Pair[] = [
  [
    'Coffee drinkers have a lower risk of liver disease.',
    'People who drink coffee suffer less often from liver disease.',
  ],
  ['The new law bans single-use plastic bags.', 'Single-use plastic bags are banned by the new law.'],
  ['Sea levels have risen by about 20 cm since 1900.', 'Since 1900 sea levels rose by roughly 20 cm.'],
  ['The hospital cannot fill 35 nursing posts.', 'At the hospital, 35 nursing posts are vacant.'],
  ['Remote workers report higher job satisfaction.', 'Job satisfaction is higher among people working remotely.'],
  ['The library will stay open until midnight during exams.', 'During exams, the library is open until midnight.'],
  ['Bees are dying because of pesticides.', 'Pesticides kill bees.'],
  ['The company laid off a tenth of its workforce.', 'One in ten employees of the company lost their job.'],
  [
    'Norway gets almost all of its electricity from hydropower.',
    'Hydropower provides nearly all electricity in Norway.',
  ],
  ['Capital punishment does not deter crime.', 'The death penalty does not deter criminals.'],
  ['Students who sleep less get worse grades.', 'Lack of sleep worsens the grades of students.'],
  ['The tower is 320 metres high.', 'The height of the tower is 320 metres.'],
];

export const OTHER_UNSEEN: readonly Pair[] = [
  ['Coffee drinkers have a higher risk of insomnia.', 'Coffee drinkers have a lower risk of liver disease.'],
  ['The new law bans single-use plastic bags.', 'The new law taxes plastic bottles.'],
  ['Sea levels have risen by about 20 cm since 1900.', 'Sea levels will rise by 60 cm until 2100.'],
  ['The hospital cannot fill 35 nursing posts.', 'The hospital has 350 beds.'],
  ['Remote workers feel lonely more often.', 'Remote workers report higher job satisfaction.'],
  ['The library lends laptops to students during exams.', 'During exams, the library is open until midnight.'],
  ['Bees pollinate a third of all crops.', 'Pesticides kill bees.'],
  ['The company was founded in 1950 in Oslo.', 'The company laid off a tenth of its workforce.'],
  ['Norway exports most of its gas to Germany.', 'Hydropower provides nearly all electricity in Norway.'],
  ['Capital punishment deters crime.', 'Capital punishment does not deter crime.'],
  ['The north tower is open to visitors every day in summer.', 'The height of the tower is 320 metres.'],
  ['Nurses in the town earn less than teachers.', 'Teachers in the town earn less than nurses.'],
];
