import { type ModelStages, UnusableOptionError } from '../../digest/index.ts';
import type { Prompt, PromptPurpose, Prompts } from '../../models/index.ts';

/** What a judge asks; each has a prompt of the same name. */
export const JUDGE_PURPOSES = [
  'judge-coverage',
  'judge-entailment',
  'judge-key-points',
  'judge-kind',
  'judge-reported',
  'judge-answered',
  'judge-relevance',
] as const satisfies readonly PromptPurpose[];
export type JudgePurpose = (typeof JUDGE_PURPOSES)[number];

/**
 * The prompts of a judge. One that a request names takes the place of the one of the same purpose; the others stay.
 *
 * @throws UnusableOptionError where the named one is not there, serves no judge, or wants to be filled in with more
 */
export function judgePrompts(
  prompts: Prompts,
  stages: ModelStages,
  named: string | undefined,
): (purpose: JudgePurpose) => Prompt {
  const own = named === undefined ? null : namedPrompt(prompts, named);
  return (purpose) => stages.prompt('judge', purpose, own?.stage === purpose ? own.id : purpose);
}

function namedPrompt(prompts: Prompts, id: string): Prompt {
  const isFit = ({ stage, variables }: Prompt) =>
    JUDGE_PURPOSES.some((purpose) => purpose === stage) &&
    variables.every((name) => prompts.get(stage)?.variables.includes(name));
  const prompt = prompts.get(id);
  if (prompt !== undefined && isFit(prompt)) return prompt;
  const there = [...prompts.values()].filter(isFit).map((each) => `"${each.id}"`);
  const problem = `There is no prompt "${id}" for a judge; there is ${there.join(', ') || 'none'}.`;
  throw new UnusableOptionError('/engine/stages/judge/prompt', problem);
}
