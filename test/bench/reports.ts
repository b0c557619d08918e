import type { SourceDocument } from '../../src/text/index.ts';
import { seeded } from '../selection/kernel/random.ts';

const ACTORS = [
  'the council',
  'the harbour office',
  'farmers in the valley',
  'the clinic',
  'two rail companies',
  'residents of the old town',
  'the auditors',
  'the water authority',
  'the university',
  'the ministry',
];
const DEEDS = [
  'agreed to pay for',
  'asked for an inquiry into',
  'delayed',
  'doubled the budget of',
  'found faults in',
  'put an end to',
  'signed a treaty on',
  'raised a tax for',
  'reported on',
  'voted against',
];
const MATTERS = [
  'the new bridge',
  'repairs to the pumps',
  'school meals',
  'night trains',
  'a register of landlords',
  'flood walls',
  'the price of milk',
  'a hospital ward',
  'training for drivers',
  'the sale of forests',
];
const CAUSES = [
  'after three winters with little snow',
  'because the old contract had run out',
  'despite two petitions',
  'since costs had risen by a third',
  'while the minister was abroad',
  'as the survey had advised',
];

/**
 * Seeded reports of about as many characters each; no two sentences of them are alike.
 *
 * @param characters per document
 */
export function reports(count: number, characters = 900): SourceDocument[] {
  const random = seeded(7);
  const one = (list: readonly string[]) => list[random.below(list.length)];
  const sentence = (): string => {
    const [actor, deed, matter] = [one(ACTORS), one(DEEDS), one(MATTERS)];
    const figure = `${1 + random.below(900)} ${one(['people', 'homes', 'hectares', 'thousand euros'])}`;
    const text = `${actor} ${deed} ${matter} in ${1950 + random.below(75)} ${one(CAUSES)}, which concerned ${figure}.`;
    return text[0].toUpperCase() + text.slice(1);
  };
  return Array.from({ length: count }, (_, index) => {
    const sentences = [];
    for (let length = 0; length < characters; length += sentences[sentences.length - 1].length + 1)
      sentences.push(sentence());
    return { id: `report-${index}`, text: sentences.join(' ') };
  });
}
