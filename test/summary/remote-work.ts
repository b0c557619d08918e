import type { ComposeInput } from '../../src/summary/index.ts';
import { inputOf, type Written } from './points.ts';

/** Twelve points that eight documents make on remote work: agreement, disagreement, an aside, odd formatting. */
const REMOTE_WORK: readonly Written[] = [
  {
    text: 'Remote work increases productivity because employees lose no time to commuting',
    document: 'stanford',
    relevance: 0.82,
    also: [
      ['call-centre', 'Call-centre staff working remotely handled 13 percent more calls.'],
      ['survey', 'Employees report that remote work makes them more productive.'],
    ],
  },
  {
    text: 'Remote work reduces productivity, since every question becomes a meeting.',
    document: 'blog',
    relevance: 0.8,
  },
  {
    text: 'Employees save 72 minutes a day by not commuting.',
    document: 'survey',
    relevance: 0.66,
    also: [['call-centre', 'Without a commute, employees save more than an hour a day.']],
  },
  { text: 'Employees save 40 minutes a day by not commuting.', document: 'ministry', relevance: 0.63 },
  {
    text: 'Loneliness is the complaint that remote employees raise most often.',
    document: 'survey',
    relevance: 0.6,
    also: [
      ['union', 'Remote employees complain of loneliness above all.'],
      ['handbook', 'Loneliness is the first complaint of remote employees.'],
      ['blog', 'What remote employees complain of most is loneliness.'],
    ],
  },
  {
    text: 'Loneliness falls when remote employees meet their team once a week.',
    document: 'handbook',
    relevance: 0.52,
  },
  {
    text: 'Junior employees are promoted more slowly when they work remotely.',
    document: 'call-centre',
    relevance: 0.58,
    also: [['union', 'Promotion comes later for junior employees who work remotely.']],
  },
  { text: 'junior employees learn less from colleagues they never meet [4]', document: 'blog', relevance: 0.5 },
  {
    text: 'The company should pay for the home office.',
    document: 'union',
    speaker: 'Maria Lopez',
    relevance: 0.45,
  },
  {
    text: 'A desk, a chair and\na screen for the home office cost the company about $1,200.',
    document: 'handbook',
    relevance: 0.4,
  },
  { text: 'Downtown cafés have lost a third of their lunch guests.', document: 'paper', relevance: 0.3 },
  { text: 'Half of the ministry’s buildings stand empty on Fridays.', document: 'ministry', relevance: 0.28 },
];

const TITLES: Record<string, string> = {
  stanford: 'Does Working from Home Work?',
  'call-centre': 'Two Years in a Call Centre',
  survey: 'Survey of Working Arrangements',
  blog: 'Back to the Office',
  ministry: 'Ministry of Labour: Annual Report',
  union: 'Union Hearing, Minutes',
  handbook: 'The Remote Handbook',
  paper: 'City Paper',
};

export function remoteWork(rest: Partial<ComposeInput> = {}): ComposeInput {
  return inputOf(REMOTE_WORK, {
    documents: Object.entries(TITLES).map(([id, title]) => ({ id, title })),
    intent: {
      text: 'How does remote work affect employees and productivity, and what does it do to office rents?',
      facets: [
        { text: 'How does remote work affect employees and productivity', matched: true },
        { text: 'what remote work does to office rents', matched: false },
      ],
      matched: true,
    },
    ...rest,
  });
}
