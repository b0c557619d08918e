/** Invented files in the layouts of the published ones, each with a field that nobody reads. */
export const summHay = {
  topic_id: 'trams',
  topic: 'Trams of a small town',
  topic_metadata: { articles: [{ aid: 'x' }] },
  subtopics: [
    {
      subtopic_id: 'fares',
      subtopic_name: 'Fares',
      subtopic: 'What a ride costs',
      query: 'What do riders pay?',
      insights: [
        { insight_id: 'i1', insight_name: 'Two euros', insight: 'A ride costs two euros.' },
        { insight_id: 'i2', insight_name: 'Free', insight: 'Children ride for free.' },
        { insight_id: 'i3', insight_name: 'Night', insight: 'Rides cost more at night.' },
      ],
      retriever: { oracle: { a: 1 } },
      summaries: {
        summary_subtopic_oracle_wise: [
          'Here are the insights:',
          '- Two euros a ride [1][3].',
          '* Free rides [2, 3], it seems [sic].',
        ],
        summary_subtopic_full: ['Fares [1-2] and more [7]; [3,9]'],
        summary_subtopic_none: null,
      },
      eval_summaries: { summary_subtopic_full: [{ insight_id: 'i1', coverage: 'FULL_COVERAGE', bullet_id: '1' }] },
    },
    {
      subtopic_id: 'depot',
      query: 'Where do trams sleep?',
      insights: [{ insight_id: 'i4', insight: 'The depot stands by the river.' }],
    },
  ],
  documents: [
    {
      document_id: 'a',
      document_text: 'A ride costs two euros.',
      document_metadata: {},
      insights_included: ['i1'],
      idx: 0,
      label_x: 1,
    },
    {
      document_id: 'b',
      document_text: 'Children ride free. The depot is by the river.',
      insights_included: ['i2', 'i4'],
    },
    {
      document_id: 'c',
      document_text: 'Two euros for adults, none for children.',
      insights_included: ['i2', 'i1', 'i1'],
    },
  ],
};

export const diverseSumm = {
  eid: 'flood',
  articles: [
    {
      aid: 'a0',
      title: 'Flood',
      url: 'https://news.example/flood',
      domain: 'news.example',
      content: 'Three bridges fell.',
    },
    { aid: 'a1', title: 'Empty', url: 'https://news.example/empty', domain: 'news.example', content: ' \n' },
    { aid: 'a2', title: '', url: 'no address', domain: 'b.example', content: 'Four bridges fell, says the mayor.' },
    { aid: 'a3', title: 'Water', url: null, domain: 'c.example', content: 'The water rose by a metre.' },
  ],
  question_answers: [
    {
      question: 'How many bridges fell?',
      answer_groups: [
        [
          { aid: 'a0', answer: 'Three.' },
          { aid: 'a1', answer: 'Three bridges.' },
          { aid: 'a0', answer: 'Three, in one night.' },
        ],
        [{ aid: 'a2', answer: 'Four.' }],
        [{ aid: 'a1', answer: 'Five.' }],
      ],
    },
    {
      question: 'How far did the water rise?',
      answer_groups: [
        [
          { aid: 'a2', answer: ' ' },
          { aid: 'a3', answer: 'By a metre.' },
        ],
      ],
    },
    { question: 'Who was blamed?', answer_groups: [[{ aid: 'a1', answer: 'Nobody.' }], []] },
  ],
};

const SAID = ['Trams are quiet.', 'Trams are cheap.', 'I like bread.'];
const TOLD = SAID.join(' ');
const spanOf = (said: string) => ({ start: TOLD.indexOf(said), end: TOLD.indexOf(said) + said.length });

export const haystack = {
  documents: [
    {
      id: 'd1',
      text: TOLD,
      arguments: [
        { ...spanOf(SAID[0]), keyPoints: ['quiet'] },
        { ...spanOf(SAID[1]), keyPoints: ['cheap', 'dear', 'quiet'] },
        { ...spanOf(SAID[2]), keyPoints: [] },
      ],
    },
    { id: 'd2', text: 'Trams are dear.', arguments: [{ start: 0, end: 15, keyPoints: ['dear'] }] },
  ],
  queries: [
    {
      intent: 'Trams are good',
      insights: [
        { id: 'quiet', text: 'Trams make no noise.', documents: ['d1'] },
        { id: 'cheap', text: 'Trams cost little.', documents: ['d1'] },
        { id: 'green', text: 'Trams are green.', documents: [] },
      ],
    },
    { intent: 'Trams are bad', insights: [{ id: 'dear', text: 'Trams cost much.', documents: ['d1', 'd2'] }] },
  ],
};

export const meeting = {
  id: 'm1',
  text: 'Ana: Hello.\nBen: Soup?\nAna: Soup.\n',
  turns: [
    [0, 11],
    [12, 22],
    [23, 33],
  ],
  queries: [
    {
      intent: 'What will they eat?',
      reference: 'Soup.',
      relevantTurns: [
        [1, 2],
        [0, 0],
      ],
    },
    { intent: 'Who is there?', relevantTurns: [] },
  ],
};

export const set = {
  name: 'own',
  collections: [{ id: 'c', topic: 'Tea', documents: [{ id: 'd', text: 'Tea is hot.' }] }],
  cases: [
    {
      id: '1',
      collection: 'c',
      intent: 'How is tea?',
      keyPoints: [{ text: 'Tea is hot.', spans: [{ document: 'd', start: 0, end: 11 }] }],
    },
    { id: '2', collection: 'c' },
  ],
};

/** A file of each format, by the format. */
export const SAMPLES = {
  set: [{ path: 'own.json', text: JSON.stringify(set, null, 2) }],
  documents: [
    { path: 'texts/tea.md', text: 'Preface.\n\n# On tea \n\nTea is hot.' },
    { path: 'texts/ice.txt', text: 'Ice is cold.' },
  ],
  summhay: [{ path: 'data/topic_trams.json', text: JSON.stringify(summHay, null, 2) }],
  diversesumm: [{ path: 'diverse.json', text: JSON.stringify([diverseSumm, { ...diverseSumm, eid: 'storm' }]) }],
  haystack: [{ path: 'stacks/h1.json', text: JSON.stringify(haystack) }],
  meetings: [
    { path: 'ALL/m1.json', text: JSON.stringify(meeting, null, 4) },
    { path: 'ALL/more.jsonl', text: `${['m2', 'm3'].map((id) => JSON.stringify({ ...meeting, id })).join('\n')}\n` },
  ],
};
