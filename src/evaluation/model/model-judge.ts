import type { DigestParts } from '../../digest/digest-parts.ts';
import { modelStages } from '../../digest/model-stages.ts';
import type { Judge, JudgingOptions } from '../judge.ts';
import type { JudgeRequest } from '../../contract/evaluation-request.ts';
import { modelAnswered } from './answered.ts';
import { MODEL_JUDGE_VERSION, verdictAsker } from './ask-verdicts.ts';
import { modelCoverage } from './coverage.ts';
import { modelEntailment } from './entailment.ts';
import { judgePrompts } from './judge-prompts.ts';
import { modelRelevance } from './relevance.ts';
import { modelReported } from './reported.ts';
import { modelKinds } from './sentence-kinds.ts';

/**
 * A language model as judge, by the protocols of the papers: one call a unit, texts fenced and in an order of their own,
 * verdicts checked and kept for the tenant. A call that fails for good fails the evaluation; what was judged by then is
 * kept, and the next evaluation goes on from there.
 *
 * @throws UnusableOptionError where there is no model, or no such prompt; its methods throw ModelCallError
 */
export function modelJudge(
  { engine = {} }: JudgeRequest,
  parts: DigestParts,
  { signal, countsUnreadable }: JudgingOptions = {},
): Judge {
  const { database, models } = parts;
  const { prompt: named, ...settings } = engine.stages?.judge ?? {};
  const ended = new AbortController();
  const stages = modelStages(
    models,
    { model: engine.model, stages: { judge: settings } },
    signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]),
  );
  const model = stages.model('judge', '/judge');
  const promptOf = judgePrompts(models.prompts, stages, named);
  const asker = verdictAsker(model, promptOf, database, () => ended.abort(), countsUnreadable);

  return {
    coverage: (insights, bullets) => modelCoverage(asker, insights, bullets),
    entailment: (tasks) => modelEntailment(asker, tasks),
    kinds: (sentences, request) => modelKinds(asker, sentences, request),
    reported: (sentences, nuggets) => modelReported(asker, sentences, nuggets),
    answered: (summary, questions) => modelAnswered(asker, summary, questions),
    relevant: (questions, intent) => modelRelevance(asker, questions, intent),
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
    usage: () => ({ ...model.usage(), reusedVerdicts: asker.reused() }),
    unreadable: () => asker.unreadable(),
    warnings() {
      return [
        told(asker.unfounded(), 'quoted words that the text does not hold, and counted as no'),
        told(asker.unreadable(), 'could not be read, and credit nothing'),
      ].flat();
    },
  };
}

function told(count: number, what: string): string[] {
  if (count === 0) return [];
  return [`${count === 1 ? 'One verdict' : `${count} verdicts`} of the language model ${what}.`];
}
