/** Claims with statements of other documents that state them. */
export const STATED: readonly (readonly [claim: string, evidence: string])[] = [
  ['The bridge carries around 18,000 vehicles a day.', 'The bridge carried about 18,000 vehicles a day.'],
  ['Two more cracks were discovered in April.', 'Two further cracks were found in April.'],
  [
    'The detour through Penhallow adds about 40 minutes to the journey.',
    'My journey to work takes 40 minutes longer because of the detour through Penhallow.',
  ],
  ['It turns itself off as soon as it is lifted.', 'It turns off by itself when you lift it.'],
  ['The guarantee lasts five years.', 'The guarantee covers five years.'],
  [
    'Trains must be used for journeys of less than five hours.',
    'For journeys of less than five hours the train must be used.',
  ],
  ['Receipts must be submitted within 30 days.', 'Receipts have to be handed in within 30 days.'],
  ['The daily allowance for meals is 38 euros.', 'The meal allowance is 38 euros a day.'],
  ['Travel time does not count as working time.', 'Travel time still does not count as working time.'],
  ['Spending on hotels rose by 9 percent in 2025.', 'Hotel spending went up by 9 percent in 2025.'],
  ['In 2025, 214 employees worked from abroad.', 'In 2025, 214 employees worked from another country.'],
  [
    'Schools on the north bank now begin half an hour later.',
    'Schools on the north bank start half an hour later until further notice.',
  ],
];

/** Claims with statements that are only near: they say another thing, less, or a part. */
export const NOT_STATED: readonly (readonly [claim: string, evidence: string])[] = [
  ['Spending on flights fell by 4 percent in 2025.', 'Spending on flights fell by 1.5 percent in 2025.'],
  [
    'Business class is not allowed on flights of under nine hours.',
    'Business class is not allowed on flights of under six hours.',
  ],
  [
    'Employees may work from abroad for up to 20 days a year.',
    'Employees may work from abroad for 30 days a year instead of 20.',
  ],
  ['The daily allowance for meals is 32 euros.', 'The allowance for meals rises from 32 to 38 euros a day.'],
  ['The Aurel 2 is not affected.', 'The Aurel 2 is affected as well.'],
  ['Travel time does not count as working time.', 'Travel time counts as working time if the employee is driving.'],
  ['The filter is dishwasher-safe.', 'The filter cannot be washed in the dishwasher, it melted.'],
  ['Mayor Irene Castell has resigned.', 'Mayor Irene Castell rejected calls for her resignation.'],
  ['Repairs will cost about 3.1 million pounds.', 'Repairs have cost 3.1 million pounds so far.'],
  ['Taxis are reimbursed only after 10 p.m.', 'Taxis are no longer reimbursed.'],
  [
    'The index needs about 1 GB of RAM per terabyte.',
    'The index now needs about 400 MB of RAM per terabyte (4.0: 1 GB).',
  ],
  [
    'Clients skip files with paths longer than 260 characters.',
    'Clients: paths longer than 260 characters are backed up.',
  ],
  [
    'Traffic on the detour through Penhallow has doubled.',
    'My journey takes longer because of the detour through Penhallow.',
  ],
  ['The answer took three weeks.', 'The answer took two or three days.'],
  ['Irene Castell opened the ferry.', 'Ruth Castell opened the ferry.'],
  ['The lid broke after three months.', 'The lid can break when hot and water may spill.'],
];
