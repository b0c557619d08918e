import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidEvaluationError } from '../../../src/evaluation/metric.ts';
import { type KeyPointRecallRequest, scoreAnswer } from '../../../src/evaluation/metrics/key-point-recall.ts';
import { type JudgeScript, scriptedJudge } from '../../support/scripted-judge.ts';

/** Every line is a key point. */
const keyPoints = (answer: string) => answer.split('\n').filter((line) => line.trim() !== '');

/** A text entails what it contains, and the words themselves are the evidence. */
const contains: NonNullable<JudgeScript['entailment']> = (claim, texts) => {
  const holds = texts.some((text) => text.includes(claim));
  return { holds, score: holds ? 1 : 0.25, evidence: holds ? claim : null };
};

function requestOf(answer: string, keyPoints: readonly string[], documents?: readonly string[]): KeyPointRecallRequest {
  return { metric: 'key-point-recall', answer, keyPoints, documents };
}

describe('scoreAnswer', () => {
  test('recall 3/4, precision 2/5: F1 is 2PR / (P + R)', async () => {
    const judge = scriptedJudge({ entailment: contains, keyPoints });
    const answer = await scoreAnswer(
      requestOf('a one\nb two\nc three\nd four\ne five', ['a', 'b', 'c', 'z'], ['… a one …', 'x e five']),
      judge,
    );
    expect(answer.recall).toBe(75);
    expect(answer.precision).toBe(40);
    expect(answer.f1).toBeCloseTo((2 * 75 * 40) / 115, 12);
    expect(answer.keyPoints).toEqual([
      ...['a', 'b', 'c'].map((evidence) => ({ entailed: true, score: 1, evidence })),
      { entailed: false, score: 0.25, evidence: null },
    ]);
    expect(answer.answerKeyPoints.map(({ present }) => present)).toEqual([true, false, false, false, true]);
    expect(answer.answerKeyPoints[0]).toEqual({ text: 'a one', present: true, evidence: 'a one' });
    expect(judge.calls.map(({ method }) => method)).toEqual(['keyPoints', 'entailment']);
  });

  test('the judge reads the answer without markers; evidence has them as it stands', async () => {
    const judge = scriptedJudge({ entailment: contains, keyPoints });
    const answer = await scoreAnswer(requestOf('Fares [1] rose [2, 3].', ['Fares rose'], ['Fares rose.']), judge);
    expect(answer.keyPoints[0]?.evidence).toBe('Fares [1] rose');
    expect(answer.answerKeyPoints).toEqual([{ text: 'Fares rose.', present: true, evidence: 'Fares rose.' }]);
    expect(JSON.stringify(judge.calls)).not.toContain('[1]');
  });

  test.each([[undefined], [[]]])('without documents (%j) precision, F1 and presence are null', async (documents) => {
    const judge = scriptedJudge({ entailment: contains, keyPoints });
    const answer = await scoreAnswer(requestOf('a\nb', ['a'], documents), judge);
    expect(answer).toMatchObject({ recall: 100, precision: null, f1: null });
    expect(answer.answerKeyPoints).toEqual([]);
    // Its own key points are asked for only where they are held against documents.
    expect(judge.calls.map(({ asked }) => asked)).toEqual([[[{ claim: 'a', texts: ['a\nb'] }]]]);
  });

  test.each([[''], [' \n'], ['[1][2]']])('the empty answer %j says nothing, right or wrong, unasked', async (text) => {
    const answer = await scoreAnswer(requestOf(text, ['a', 'b'], ['a']), scriptedJudge({}));
    const nothing = { entailed: false, score: 0, evidence: null };
    expect(answer).toEqual({
      metric: 'key-point-recall',
      recall: 0,
      precision: null,
      f1: 0,
      keyPoints: [nothing, nothing],
      answerKeyPoints: [],
    });
  });

  test('an answer without key points of its own can be neither right nor wrong', async () => {
    const none = scriptedJudge({ entailment: contains, keyPoints: () => [] });
    const answer = await scoreAnswer(requestOf('Yes a.', ['a'], ['a']), none);
    expect(answer).toMatchObject({ recall: 100, precision: null, f1: null });
  });

  test.each([
    [requestOf('a', []), '/keyPoints'],
    [requestOf('', ['a', ' ']), '/keyPoints/1'],
  ])('refuses %j', async (request, pointer) => {
    const refused = scoreAnswer(request, scriptedJudge({}));
    await expect(refused).rejects.toThrow(InvalidEvaluationError);
    await expect(refused).rejects.toMatchObject({ pointer });
  });

  test('scores do not depend on the order of key points and documents, and more of an answer never lowers recall', async () => {
    const word = fc.constantFrom('ab', 'bc', 'cd', 'de', 'ef', 'abc', 'cde');
    const words = fc.array(word, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(words, words, words, word, async (lines, asked, documents, more) => {
        const ask = async (answer: readonly string[], points: readonly string[], texts: readonly string[]) =>
          scoreAnswer(requestOf(answer.join('\n'), points, texts), scriptedJudge({ entailment: contains, keyPoints }));
        const { recall, precision, f1 } = await ask(lines, asked, documents);
        const turned = await ask(lines.toReversed(), asked.toSorted(), documents.toReversed());
        expect(turned).toMatchObject({ recall, precision, f1 });
        expect((await ask([...lines, more], asked, documents)).recall).toBeGreaterThanOrEqual(recall);
        const held = lines.filter((line) => documents.some((text) => text.includes(line))).length;
        expect(precision).toBe((100 * held) / lines.length);
        const least = Math.min(recall, precision ?? 0);
        expect(f1).toBeGreaterThanOrEqual(least - 1e-9);
        expect(f1).toBeLessThanOrEqual(Math.max(recall, precision ?? 0) + 1e-9);
      }),
    );
  });
});
