import { expect, test } from 'vitest';
import { asData } from '../../../src/models/index.ts';
import { PROMPTS } from '../../support/prompts.ts';
import { judging, type Shown } from './judging.ts';

const BULLETS = ['Ferries are dear [1].', 'The pier was shut in May [2][3].', 'Gulls abound.'];
const SEEN = (shown: Shown) => Object.entries(shown.data);

/** The number under which a text was shown. */
function numberOf(text: string, shown: Shown): number {
  const found = SEEN(shown).find(([, each]) => each === text) ?? expect.fail(text);
  return Number(found[0].split(' ')[1]);
}

test('coverage: one call an insight, with all bullets, each fenced with its number', async () => {
  const answers: Record<string, unknown> = { shut: 'FULL', dear: 'PARTIAL' };
  const { judge, calls } = judging((shown) => {
    const word = /shut|dear/.exec(shown.data.insight)?.[0] ?? '';
    const bullet = BULLETS.find((text) => word !== '' && text.includes(word));
    return { coverage: answers[word] ?? 'NO', bullet: bullet === undefined ? null : numberOf(bullet, shown) };
  });
  const insights = ['The pier has been shut since spring.', 'Who uses ferries finds them dear.', 'Bread is cheap.'];
  expect(await judge().coverage(insights, BULLETS)).toEqual([
    { level: 100, score: 1, bullet: 1 },
    { level: 50, score: 0.5, bullet: 0 },
    { level: 0, score: 0, bullet: expect.any(Number) },
  ]);
  expect(calls.map(({ prompt }) => prompt)).toEqual(['judge-coverage', 'judge-coverage', 'judge-coverage']);
  expect(new Set(calls.map(({ data }) => data.insight))).toEqual(new Set(insights));
  for (const shown of calls) {
    expect(
      SEEN(shown)
        .filter(([name]) => name.startsWith('bullet'))
        .map(([, text]) => text)
        .sort(),
    ).toEqual([...BULLETS].sort());
    for (const text of BULLETS) expect(shown.user).toContain(asData('bullet', text, numberOf(text, shown)));
    expect(shown.call.messages[0].content).toBe(PROMPTS.get('judge-coverage')?.system);
    expect(shown.call.settings).toEqual({ model: 'm', temperature: 0, topP: null, seed: 1 });
  }
});

test('coverage by none names the bullet that shares most words; without bullets nothing is asked', async () => {
  const { judge, calls } = judging(() => ({ coverage: 'NO', bullet: null }));
  const insight = 'In May gulls took the pier.';
  expect(await judge().coverage([insight], BULLETS)).toEqual([{ level: 0, score: 0, bullet: 1 }]);
  expect(await judge().coverage([insight], [])).toEqual([{ level: 0, score: 0, bullet: null }]);
  expect(await judge().coverage([insight], [' ', '\u200b'])).toEqual([{ level: 0, score: 0, bullet: 0 }]);
  expect(calls).toHaveLength(1);
});

test('entailment: one call a claim and text, most shared words first, until one says yes', async () => {
  const texts = ['The mill burned.', 'Rain fell on the old mill in March.', 'The old mill was sold in March.'];
  const { judge, calls } = judging(({ data }) =>
    data.text.includes('sold')
      ? { evidence: 'mill was sold in March', verdict: 'YES' }
      : { evidence: '', verdict: 'NO' },
  );
  const claim = 'In March the old mill was sold to a baker.';
  const verdicts = await judge().entailment([
    { claim, texts },
    { claim: 'Nobody came.', texts },
    { claim, texts: [] },
  ]);
  expect(verdicts).toEqual([
    { holds: true, score: 1, evidence: 'mill was sold in March' },
    { holds: true, score: 1, evidence: 'mill was sold in March' },
    { holds: false, score: 0, evidence: null },
  ]);
  expect(calls.filter(({ data }) => data.claim === claim).map(({ data }) => data.text)).toEqual([texts[2]]);
  for (const { prompt, user, data } of calls) {
    expect(prompt).toBe('judge-entailment');
    expect(user).toContain(asData('claim', data.claim));
    expect(user).toContain(asData('text', data.text));
  }
});

test('a long text is read in windows, and the evidence is a piece of the text', async () => {
  const filler = Array.from({ length: 300 }, (_, i) => `Ship ${i} came in with the tide.`);
  const text = [...filler, 'The lock was widened in 1931.', ...filler.map((line) => line.replace('came', 'went'))].join(
    ' ',
  );
  const { judge, calls } = judging(({ data }) =>
    data.text.includes('widened')
      ? { evidence: 'the lock was WIDENED in 1931', verdict: 'YES' }
      : { evidence: '', verdict: 'NO' },
  );
  const claim = 'They widened the lock.';
  const [verdict] = await judge().entailment([{ claim, texts: [text] }]);
  expect(verdict).toEqual({ holds: true, score: 1, evidence: 'The lock was widened in 1931' });
  expect(calls).toHaveLength(1);
  const [none] = await judge().entailment([{ claim: 'Cows swim.', texts: [text.replace('widened', 'mended')] }]);
  expect(none.holds).toBe(false);
  const windows = calls.slice(1).map(({ data }) => data.text);
  expect(windows.length).toBeGreaterThan(1);
  for (const line of [...filler, 'The lock was mended in 1931.']) expect(windows.join(' ')).toContain(line);
});

test('kinds: one call a sentence, with the request', async () => {
  const { judge, calls } = judging(({ data }) => ({
    kind: /^Nobody/.test(data.sentence) ? 'ABSENCE' : /^First/.test(data.sentence) ? 'NEITHER' : 'CLAIM',
  }));
  const request = { problem: 'Why is the lake low?', userStory: 'A farmer.', background: 'It rained little.' };
  const sentences = ['The dam leaks.', 'Nobody knows how much.', 'First, the dam.', ' '];
  expect(await judge().kinds(sentences, request)).toEqual(['claim', 'absence', 'neither', 'neither']);
  expect(calls.map(({ data }) => data.sentence)).toEqual(sentences.slice(0, 3));
  for (const { prompt, data } of calls) {
    expect(prompt).toBe('judge-kind');
    for (const text of Object.values(request)) expect(data.request).toContain(text);
  }
  await judge().kinds(['The dam leaks.'], {});
  expect(calls.at(-1)?.data.request).toBe('Nothing is known of the request.');
});

test('reported: one call a sentence, with all nuggets and what their answers are', async () => {
  const nuggets = [
    { id: 'a', question: 'Who built it?', answers: [{ text: 'Ann' }, { text: 'Ann Lee' }] },
    { id: 'b', question: 'What did it cost?' },
    { id: 'c', question: 'What did it cost?', weight: 2, answers: [] },
  ];
  const { judge, calls } = judging((shown) => {
    const numbers = SEEN(shown).flatMap(([name, text]) => {
      const isMeant = text.includes(shown.data.sentence === 'Ann built it.' ? 'Who' : 'cost');
      return name.startsWith('nugget') && isMeant ? Number(name.split(' ')[1]) : [];
    });
    return { reported: [...numbers, ...numbers] };
  });
  const sentences = ['Ann built it.', 'What it cost is not known.', ''];
  expect(await judge().reported(sentences, nuggets)).toEqual([[0], [1, 2], []]);
  expect(calls).toHaveLength(2);
  const shownNuggets = SEEN(calls[0]).flatMap(([name, text]) => (name.startsWith('nugget') ? text : []));
  expect(shownNuggets).toHaveLength(2);
  expect(shownNuggets.join('\n')).toMatch(/Answer: Ann\n|Answer: Ann$/);
  expect(shownNuggets.join('\n')).toContain('Answer: Ann Lee');
  expect(shownNuggets).toContain('Question: What did it cost?\nAnswer: (nothing is known of it)');
  expect(await judge().reported(['Ann built it.'], [])).toEqual([[]]);
  expect(calls).toHaveLength(2);
});

test('answered: one call a question, which tells both flags', async () => {
  const summary = 'The bridge fell in 1907. It was built in a hurry.';
  const { judge, calls } = judging(({ data }) => {
    if (data.question.startsWith('When')) return { evidence: 'fell in 1907', verdict: 'SAME' };
    if (data.question.startsWith('Why')) return { evidence: 'built in a hurry', verdict: 'OTHER' };
    return { verdict: 'NONE', evidence: null };
  });
  const questions = [
    { question: 'When did it fall?', answer: '1907' },
    { question: 'Why did it fall?', answer: 'Weak steel.' },
    { question: 'Who paid?', answer: 'The state.' },
  ];
  expect(await judge().answered(summary, questions)).toEqual([
    { answerable: true, matches: true, evidence: 'fell in 1907' },
    { answerable: true, matches: false, evidence: 'built in a hurry' },
    { answerable: false, matches: false, evidence: null },
  ]);
  expect(calls).toHaveLength(3);
  for (const { prompt, data } of calls) {
    expect(prompt).toBe('judge-answered');
    expect(data.summary).toBe(summary);
    expect(questions).toContainEqual({ question: data.question, answer: data['expected answer'] });
  }
  expect((await judge().answered('', questions)).map(({ answerable }) => answerable)).toEqual([false, false, false]);
  expect(calls).toHaveLength(3);
});

test('relevant: one call a question', async () => {
  const { judge, calls } = judging(({ data }) => ({ relevant: data.question.includes('crop') ? 'YES' : 'NO' }));
  expect(await judge().relevant(['Which crops?', 'Who won?', 'Which crops?'], 'Drought')).toEqual([true, false, true]);
  expect(calls.map(({ data }) => data)).toEqual([
    { intent: 'Drought', question: 'Which crops?' },
    { intent: 'Drought', question: 'Who won?' },
  ]);
});
