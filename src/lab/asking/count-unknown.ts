import {
  BYTES_PER_TOKEN,
  ModelCallError,
  type Prompts,
  type Question,
  renderPrompt,
  type StageModel,
} from '../../models/index.ts';
import { utf8Length } from '../../text/index.ts';
import type { CallEstimate, Protocol } from './asked-model.ts';
import type { KeptAnswers } from './kept-answers.ts';
import { keptModel } from './kept-model.ts';

export interface OpenCalls extends CallEstimate {
  /** Questions that an earlier run was answered. */
  readonly known: number;
}

/**
 * The calls that a making would still make. It is gone through with what is known: questions that are open now are counted
 * with their prompts as they are, and what would follow from their answers is taken from what the protocol expects.
 */
export async function countUnknown(
  protocol: Protocol<unknown>,
  model: StageModel,
  prompts: Prompts,
  kept: KeptAnswers,
): Promise<OpenCalls> {
  let [open, promptTokens] = [0, 0];
  const count = async ({ prompt, values }: Question): Promise<never> => {
    open++;
    const bytes = renderPrompt(prompt, values).reduce((sum, { content }) => sum + utf8Length(content), 0);
    promptTokens += Math.ceil(bytes / BYTES_PER_TOKEN);
    throw new ModelCallError('malformed', 'was not asked', undefined, { isFatal: false });
  };
  const known = { read: kept.read, keep: async () => {} };
  const asked = keptModel(model, prompts, known, { asker: { ask: count, askFor: count, weigh: count } });
  await protocol.make(asked);
  const answered = asked.counts().known;
  const expected = protocol.expected();
  if (open === 0) return { calls: 0, promptTokens: 0, completionTokens: 0, known: answered };
  const left = Math.max(open, expected.calls - answered);
  const share = expected.calls === 0 ? 0 : left / expected.calls;
  return {
    calls: left,
    promptTokens: Math.max(promptTokens, Math.round(share * expected.promptTokens)),
    completionTokens: Math.round(share * expected.completionTokens),
    known: answered,
  };
}
