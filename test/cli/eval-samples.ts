export const INSIGHTS = [
  { id: 'fares', text: 'Fares rose by 4 percent in March.', documents: ['1', '4'] },
  { id: 'mayor', text: 'The mayor resigned after the audit.', documents: ['5'] },
];

export const summHay = (bullets: readonly string[]) => ({ metric: 'summhay', bullets, insights: INSIGHTS });

const TRAMS = 'Fares rose by 4 percent in March. New trams were ordered from a firm in the north.';

/** Records of two systems to score, of every metric that the embedded judge scores. */
export const RECORDS = [
  {
    id: 'q1',
    system: 'ours',
    domain: 'news',
    inputWords: 120,
    evaluation: summHay([
      'Fares rose by 4 percent in March [1, 2].',
      'Bakers <script>alert("x")</script> sell bread [3].',
    ]),
  },
  { id: 'q1', system: 'theirs', domain: 'news', inputWords: 120, evaluation: summHay(['The harbour froze [5].']) },
  {
    id: 'q2',
    system: 'ours',
    domain: 'law',
    inputWords: 900,
    evaluation: summHay(['After the audit the mayor resigned [5].', 'Fares rose by 4 percent in March [1][4].']),
  },
  {
    id: 'q2',
    system: 'theirs',
    domain: 'law',
    inputWords: 900,
    evaluation: summHay(['The mayor resigned after the audit [4].']),
  },
  {
    id: 'a1',
    system: 'ours',
    evaluation: {
      metric: 'argue',
      report: { sentences: [{ text: 'Fares rose by 4 percent in March.', citations: ['d1', 'd2'] }] },
      nuggets: [
        { id: 'n1', question: 'How far did fares rise?', answers: [{ text: 'Fares rose by 4 percent in March.' }] },
        { id: 'n2', question: 'Who builds the trams?' },
      ],
      documents: [
        { id: 'd1', text: TRAMS },
        { id: 'd2', text: 'Whales sing in winter.' },
      ],
    },
  },
  {
    id: 's1',
    system: 'ours',
    evaluation: {
      metric: 'source-coverage',
      summary: 'Fares rose by 4 percent in March.',
      documents: ['d1', 'd2'],
      questions: [
        { question: 'By how much did fares rise in March?', answer: 'Fares rose by 4 percent.', document: 'd1' },
        { question: 'When do whales sing?', answer: 'Whales sing in winter.', document: 'd2' },
      ],
    },
  },
];

/** Two summaries with people's labels. */
export const LABELLED = [
  {
    id: 'x',
    system: 'one',
    topic: 'city',
    bullets: ['Fares rose by 4 percent in March [1].', 'Bakers sell bread on Sundays.'],
    insights: [
      { text: 'Fares rose by 4 percent in March.', human: 1, bullet: 0, models: { gemini: 1 } },
      { text: 'Whales sing in winter.', human: 0, bullet: null, models: { gemini: 0.5 } },
    ],
  },
  {
    system: 'two',
    topic: 'city',
    bullets: ['The harbour froze.', 'The mayor resigned after the audit of the books.'],
    insights: [
      { text: 'The mayor resigned after the audit of the books.', human: 1, bullet: 1, models: { gemini: 1 } },
      { text: 'Planes were late.', human: 0, bullet: null, models: { gemini: 0 } },
    ],
  },
];
