import { expect, test } from 'vitest';
import { type EvaluationRequest, evaluate } from '../../../src/evaluation/index.ts';
import { type Answers, judging } from './judging.ts';

const ANSWERS: Answers = ({ prompt, data }) => {
  switch (prompt) {
    case 'judge-coverage':
      return { coverage: 'PARTIAL', bullet: 1 };
    case 'judge-entailment':
      return { evidence: data.text, verdict: 'YES' };
    case 'judge-key-points':
      return { keyPoints: [{ evidence: data.answer, text: data.answer }] };
    case 'judge-kind':
      return { kind: /not known/.test(data.sentence) ? 'ABSENCE' : 'CLAIM' };
    case 'judge-reported':
      return { reported: [1] };
    case 'judge-answered':
      return { evidence: 'The dam was mended', verdict: 'OTHER' };
    default:
      return { relevant: 'YES' };
  }
};

const REQUESTS: readonly (readonly [EvaluationRequest, prompts: readonly string[]])[] = [
  [
    {
      metric: 'summhay',
      judge: 'llm',
      bullets: ['The dam was mended [1].'],
      insights: [{ id: 'i', text: 'They mended the dam.', documents: ['1'] }],
    },
    ['judge-coverage'],
  ],
  [
    {
      metric: 'key-point-recall',
      judge: 'llm',
      answer: 'The dam was mended in June.',
      keyPoints: ['The dam was mended.'],
      documents: ['In June the dam was mended.'],
    },
    ['judge-entailment', 'judge-key-points'],
  ],
  [
    {
      metric: 'argue',
      judge: 'llm',
      report: {
        sentences: [
          { text: 'The dam was mended in June.', citations: ['d'] },
          { text: 'What it cost is not known.', citations: [] },
        ],
      },
      nuggets: [{ id: 'n', question: 'When?', answers: [{ text: 'June' }] }],
      documents: [{ id: 'd', text: 'In June the dam was mended.' }],
    },
    ['judge-entailment', 'judge-kind', 'judge-reported'],
  ],
  [
    {
      metric: 'source-coverage',
      judge: 'llm',
      summary: 'The dam was mended in June.',
      documents: ['d'],
      questions: [{ question: 'When was it mended?', answer: 'July', document: 'd' }],
      intent: 'The dam',
    },
    ['judge-answered', 'judge-relevance'],
  ],
];

test.each(REQUESTS)(
  '$metric asks what it needs, says so, and costs nothing a second time',
  async (request, prompts) => {
    const { deps, calls, database } = judging(ANSWERS);
    const { usage, judge, ...answer } = await evaluate(request, deps);
    expect(Object.keys(judge.prompts)).toEqual(prompts);
    expect(judge).toMatchObject({ name: 'llm', encoder: null, model: { model: 'm', seed: 1, temperature: 0 } });
    expect(usage).toMatchObject({ requests: calls.length, cost: 0.5 * calls.length, reusedVerdicts: 0 });
    const again = judging(() => expect.fail('asked again'), { database });
    const second = await evaluate(request, again.deps);
    expect(second).toMatchObject(answer);
    expect(second.judge).toEqual(judge);
    expect(second.usage).toMatchObject({ requests: 0, cost: 0, reusedVerdicts: calls.length });
  },
);
