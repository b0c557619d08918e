import { modelStages, UnusableOptionError } from '../../digest/index.ts';
import type { Prompt, Prompts } from '../../models/index.ts';
import type { EvaluationDeps, Judge, JudgingOptions } from '../judge.ts';
import { type JudgeRequest, judgeOptionsOf } from '../shapes.ts';
import { JUDGE_PURPOSES, type JudgePurpose, MODEL_JUDGE_VERSION, verdictAsker } from './asker.ts';
import { protocols } from './protocols.ts';

/**
 * A language model as judge, by the protocols of the papers: one call per unit, texts fenced and sorted, verdicts
 * checked and stored for the tenant. A call that fails after all retries fails the evaluation; the next one reuses
 * stored verdicts.
 * @throws UnusableOptionError if there is no model, or no such prompt; its methods throw ModelCallError
 */
export function modelJudge(
  request: JudgeRequest,
  deps: EvaluationDeps,
  { signal, countsUnreadable }: JudgingOptions = {},
): Judge {
  const { cache, models } = deps;
  const engine = judgeOptionsOf(request);
  const { prompt: named, ...settings } = engine.stages?.judge ?? {};
  const ended = new AbortController();
  const stages = modelStages(
    models,
    { model: engine.model, stages: { judge: settings } },
    signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]),
  );
  const model = stages.model('judge', request.judge === undefined ? '/engine' : '/judge');
  const own = named === undefined ? null : namedPrompt(models.prompts, named);
  const promptOf = (purpose: JudgePurpose) =>
    stages.prompt('judge', purpose, own?.stage === purpose ? own.id : purpose);
  const asker = verdictAsker(model, promptOf, cache, () => ended.abort(), countsUnreadable);

  return {
    ...protocols(asker),
    record() {
      const prompts = Object.fromEntries(Object.entries(stages.hashes()).sort(([a], [b]) => (a < b ? -1 : 1)));
      return {
        name: 'llm',
        encoder: null,
        version: MODEL_JUDGE_VERSION,
        model: { ...model.settings, prompt: Object.keys(prompts).join(', ') },
        prompts,
      };
    },
    usage: () => ({ ...model.usage(), reusedVerdicts: asker.counts().reused }),
    unreadable: () => asker.counts().unreadable,
    warnings() {
      return [
        warningOf(asker.counts().unfounded, 'quoted words that the text does not hold, and counted as no'),
        warningOf(asker.counts().unreadable, 'could not be read, and credit nothing'),
      ].flat();
    },
  };
}

function warningOf(count: number, what: string): string[] {
  if (count === 0) return [];
  return [`${count === 1 ? 'One verdict' : `${count} verdicts`} of the language model ${what}.`];
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
