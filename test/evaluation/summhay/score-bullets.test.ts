import { describe, expect, test } from 'vitest';
import { summHayTotals } from '../../../src/evaluation/index.ts';
import { InvalidEvaluationError } from '../../../src/evaluation/metric.ts';
import { type SummHayRequest, scoreBullets } from '../../../src/evaluation/metrics/summhay.ts';
import type { CoverageLevel } from '../../../src/evaluation/shapes.ts';
import { scriptedJudge } from '../../support/scripted-judge.ts';

/** Finds an insight in the bullet that starts with its text: fully, or half where the bullet goes on with "partly". */
function byBeginning() {
  return scriptedJudge({
    coverage: (insight, bullets) => {
      const bullet = bullets.findIndex((text) => text.startsWith(insight));
      const level: CoverageLevel = bullet < 0 ? 0 : bullets[bullet]?.includes('partly') ? 50 : 100;
      return { level, score: level / 100, bullet: bullet < 0 ? 0 : bullet };
    },
  });
}

function requestOf(
  bullets: SummHayRequest['bullets'],
  insights: SummHayRequest['insights'],
  documents?: readonly string[],
): SummHayRequest {
  return { metric: 'summhay', bullets, insights, documents };
}

const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

describe('the worked example of the paper (figure 2)', () => {
  test('has coverage 50, citation 29 and 73 to 51, joint 21.8', () => {
    const scores = summHayTotals([
      { coverage: 100, hasDocuments: true, precision: null, recall: null, f1: 29 },
      { coverage: 50, hasDocuments: true, precision: null, recall: null, f1: 73 },
      { coverage: 0, hasDocuments: true, precision: null, recall: null, f1: null },
    ]);
    expect(scores.coverage).toBe(50);
    expect(scores.citation).toBe(51);
    expect(scores.joint).toBeCloseTo((29 + 36.5 + 0) / 3, 12);
    expect(scores.joint?.toFixed(1)).toBe('21.8');
  });

  // 7 of 20 markers right of 28 documents (F1 29.17), 4 of 6 of 5 (72.73). With the smallest counts that round to the
  // figure's 29 (2 of 7 and 7: 28.57) the joint score of unrounded F1 is 21.6: the figure rounds F1 before it joins them.
  test('has the same scores from markers, unrounded', async () => {
    const answer = await scoreBullets(
      requestOf(
        [`- Fares rose [1-7] [101-113]`, 'Trams partly came [1, 2][3, 4] [8; 9]'],
        [
          { id: 'a', text: 'Fares rose', documents: ids(1, 28) },
          { id: 'b', text: 'Trams', documents: ids(1, 5) },
          { id: 'c', text: 'Buses', documents: ['1'] },
        ],
      ),
      byBeginning(),
    );
    expect(answer.insights.map(({ f1 }) => f1 && Math.round(f1))).toEqual([29, 73, null]);
    expect([answer.coverage, Math.round(answer.citation ?? 0), answer.joint?.toFixed(1)]).toEqual([50, 51, '21.8']);
    expect(answer.insights[0]).toMatchObject({ coverage: 100, bullet: 0, precision: 35, recall: 25 });
    expect(answer.insights[1]?.precision).toBeCloseTo(200 / 3, 12);
    expect(answer.insights[1]?.recall).toBe(80);
    // Over the two that are covered.
    expect(answer.citationPrecision).toBeCloseTo((35 + 200 / 3) / 2, 12);
    expect(answer.citationRecall).toBe((25 + 80) / 2);

    const small = summHayTotals([
      { coverage: 100, hasDocuments: true, precision: null, recall: null, f1: 200 / 7 },
      { coverage: 50, hasDocuments: true, precision: null, recall: null, f1: 800 / 11 },
      { coverage: 0, hasDocuments: true, precision: null, recall: null, f1: null },
    ]);
    expect(small.joint?.toFixed(1)).toBe('21.6');
  });
});

describe('scoreBullets', () => {
  const A = { id: 'a', text: 'Fares rose', documents: ['1', '2'] };

  test('shows the judge bullets without markers, list signs, blanks and repetitions, once', async () => {
    const judge = byBeginning();
    const answer = await scoreBullets(
      requestOf(['* Trams came [2]', ' ', '[1]', '1. Fares  rose [1]', 'Trams came'], [A]),
      judge,
    );
    expect(judge.calls).toEqual([{ method: 'coverage', asked: [['Fares rose'], ['Trams came', 'Fares rose']] }]);
    expect(answer.insights).toEqual([
      { id: 'a', coverage: 100, score: 1, bullet: 3, precision: 100, recall: 50, f1: 200 / 3 },
    ]);
    expect(answer).toMatchObject({ bullets: 5, wordsPerBullet: 6 / 5 });
  });

  test('a covering bullet without markers, or with markers of unknown documents, cites wrongly', async () => {
    const plain = await scoreBullets(requestOf(['Fares rose'], [A]), byBeginning());
    expect(plain.insights[0]).toMatchObject({ precision: 0, recall: 0, f1: 0 });
    expect(plain).toMatchObject({ coverage: 100, citation: 0, joint: 0 });
    const unknown = await scoreBullets(requestOf(['Fares rose [1][99]'], [A], ['1', '2']), byBeginning());
    expect(unknown.insights[0]).toMatchObject({ precision: 50, recall: 50, f1: 50 });
  });

  test('an insight without documents, or with none of them, counts for coverage alone', async () => {
    const bare = { id: 'b', text: 'Trams', documents: [] };
    const both = await scoreBullets(requestOf(['Fares rose [1][2]', 'Trams [1]'], [A, bare]), byBeginning());
    expect(both.insights[1]).toEqual({
      id: 'b',
      coverage: 100,
      score: 1,
      bullet: 1,
      precision: null,
      recall: null,
      f1: null,
    });
    expect(both).toMatchObject({ coverage: 100, citation: 100, joint: 100 });
    const alone = await scoreBullets(requestOf(['Trams [1]'], [{ id: 'b', text: 'Trams' }]), byBeginning());
    expect(alone).toMatchObject({ coverage: 100, citation: null, joint: null });
  });

  test.each([[[]], [['', ' - ', '[1]', { text: ' ', documents: ['1'] }]]])('%j is not judged', async (bullets) => {
    const answer = await scoreBullets(requestOf(bullets, [A]), scriptedJudge({}));
    expect(answer).toMatchObject({ coverage: 0, citation: 0, joint: 0, bullets: bullets.length });
    expect(answer.insights[0]).toMatchObject({ coverage: 0, score: 0, bullet: null });
    expect(answer.wordsPerBullet).toBe(bullets.length === 0 ? null : 0);
  });

  test('takes the one that cites best of bullets that say the same', async () => {
    for (const bullets of [
      ['Fares rose [9]', '- Fares rose [1]'],
      ['Fares rose [1]', 'Fares rose [9]'],
    ]) {
      const { insights } = await scoreBullets(requestOf(bullets, [A]), byBeginning());
      expect(insights[0]).toMatchObject({ bullet: bullets.findIndex((each) => each.endsWith('[1]')), precision: 100 });
    }
  });

  test.each([
    [requestOf([], []), '/insights'],
    [requestOf([], [A, { ...A, text: 'Other' }]), '/insights/1/id'],
    [requestOf([], [A, { id: 'b', text: '\n' }]), '/insights/1/text'],
    [requestOf(['ok', '[1-1000]'.repeat(11)], [A]), '/bullets/1'],
  ])('refuses %j', async (request, pointer) => {
    const refused = scoreBullets(request, scriptedJudge({}));
    await expect(refused).rejects.toThrow(InvalidEvaluationError);
    await expect(refused).rejects.toMatchObject({ pointer });
  });
});
