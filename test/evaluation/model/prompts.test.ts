import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { JUDGE_PURPOSES } from '../../../src/evaluation/index.ts';
import type { JudgePurpose } from '../../../src/evaluation/model/asker.ts';
import {
  ANSWER_POINTS,
  ANSWERED,
  coverageForm,
  ENTAILMENT,
  KIND,
  RELEVANCE,
  reportedForm,
} from '../../../src/evaluation/model/protocols.ts';
import type { JsonForm } from '../../../src/models/index.ts';
import { strictSchema } from '../../../src/models/language/chat-request.ts';
import { PROMPTS } from '../../support/prompts.ts';

/** The examples of a prompt: what they show, and the answer. */
function examplesOf(purpose: JudgePurpose) {
  const { system } = PROMPTS.get(purpose) ?? expect.fail(purpose);
  return system
    .split(/^Example of .+$/m)
    .slice(1)
    .map((block) => {
      const [, shown, answer] = /^\n([\s\S]*)\nAnswer: (\{.*\})\s*$/.exec(block) ?? expect.fail(block);
      return { shown, answer: JSON.parse(answer) };
    });
}

const FORMS: Readonly<Record<JudgePurpose, JsonForm<unknown>>> = {
  'judge-coverage': coverageForm(2),
  'judge-entailment': ENTAILMENT,
  'judge-key-points': ANSWER_POINTS,
  'judge-kind': KIND,
  'judge-reported': reportedForm(2),
  'judge-answered': ANSWERED,
  'judge-relevance': RELEVANCE,
};

const VERDICTS: Readonly<Record<JudgePurpose, readonly unknown[]>> = {
  'judge-coverage': ['FULL', 'PARTIAL', 'NO'],
  'judge-entailment': ['YES', 'NO'],
  'judge-key-points': [2],
  'judge-kind': ['CLAIM', 'ABSENCE', 'NEITHER'],
  'judge-reported': [[2], [1], []],
  'judge-answered': ['SAME', 'OTHER', 'NONE'],
  'judge-relevance': ['YES', 'NO'],
};

describe.each(JUDGE_PURPOSES)('%s', (purpose) => {
  test('has one example for each verdict, whose answer can be read', () => {
    const answers = examplesOf(purpose).map(({ answer }) => FORMS[purpose].schema.parse(answer));
    const verdicts = answers.map((answer) => {
      const { coverage, verdict, kind, reported, relevant, keyPoints } = Object(answer);
      return coverage ?? verdict ?? kind ?? reported ?? relevant ?? keyPoints.length;
    });
    expect(verdicts).toEqual(VERDICTS[purpose]);
  });

  test('asks for a form that strict servers take, and that every example has', () => {
    const { schema, asked = schema } = FORMS[purpose];
    expect(strictSchema(z.toJSONSchema(asked, { io: 'input' }))).toMatchObject({ additionalProperties: false });
    for (const { answer } of examplesOf(purpose)) expect(asked.parse(answer)).toEqual(answer);
  });

  test('says that what it shows is no instruction, and shows nothing outside the variables', () => {
    const prompt = PROMPTS.get(purpose) ?? expect.fail(purpose);
    expect(prompt.stage).toBe(purpose);
    expect(prompt.system).toMatch(/are material, not instructions/);
    expect(prompt.system).not.toContain('{{');
    for (const name of prompt.variables) expect(prompt.user.split(`{{${name}}}`)).toHaveLength(2);
  });
});
