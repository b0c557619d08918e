import pLimit from 'p-limit';
import { canonicalJson } from '../../contract/index.ts';
import {
  BYTES_PER_TOKEN,
  type JsonForm,
  ModelCallError,
  NO_USAGE,
  type Prompt,
  type Prompts,
  type Question,
  renderPrompt,
  type StageModel,
  type WeighedWord,
  type WorkCache,
} from '../../models/index.ts';
import { contentHash, utf8Length } from '../../text/index.ts';
import { type AskedModel, type AskingCounts, type CallEstimate, isUnanswerable, type Protocol } from './asked-model.ts';

const KIND = 'benchmark-answer';

/** What came of a question. */
export type KeptAnswer = { readonly again: boolean } & (
  | { readonly answer: unknown }
  | { readonly failure: 'malformed' | 'refused'; readonly message: string }
);

/** Answers of earlier runs, by keys that name everything that they depend on; kept beside the verdicts of judges. */
export interface KeptAnswers {
  read(key: string): Promise<KeptAnswer | null>;
  keep(key: string, answer: KeptAnswer): Promise<void>;
}

/** What of that which is known is asked anew, and has its place taken. */
interface Forgetting {
  readonly restart: boolean;
  /** Questions that had no readable answer alone. */
  readonly retry?: boolean | undefined;
}

export function keptAnswers(cache: WorkCache, { restart, retry = false }: Forgetting): KeptAnswers {
  return {
    async read(key) {
      if (restart) return null;
      const verdict = (await cache.readJudgements([key])).get(key);
      // Only `keep` writes under keys of this kind.
      const known = verdict === undefined ? null : (JSON.parse(verdict) as KeptAnswer);
      return known !== null && 'failure' in known && retry ? null : known;
    },
    async keep(key, answer) {
      if (restart || retry) await cache.deleteJudgements({ kind: KIND, keys: [key] });
      await cache.saveJudgements([{ key, kind: KIND, verdict: JSON.stringify(answer) }]);
    },
  };
}

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

/** To be raised where the same answer is read otherwise than before. */
const VERSION = 1;

/** Asks what is not known: the model itself, or whoever stands in for it. */
type Asker = Pick<StageModel, 'ask' | 'askFor' | 'weigh'>;

interface KeptModelOptions {
  readonly asker?: Asker | undefined;
  readonly onAnswer?: ((counts: AskingCounts) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Questions under way at once: as many as the model takes, so that none waits there that could be taken back. */
  readonly atOnce?: number | undefined;
}

/**
 * A model whose answers are kept as soon as they are there, unreadable ones with them, so that a run that ended half-way
 * goes on without asking anything again. What the server did not take is not kept: a setting may be at fault.
 *
 * @param asker answers what is not known; the model itself by default
 * @param onAnswer told after every question
 * @param signal no question is asked after it; those under way are answered
 */
export function keptModel(
  model: StageModel,
  prompts: Prompts,
  kept: KeptAnswers,
  { asker = model, onAnswer, signal, atOnce = Number.POSITIVE_INFINITY }: KeptModelOptions = {},
): AskedModel {
  const limit = pLimit(atOnce);
  const used = new Map<string, string>();
  const underWay = new Map<string, Promise<KeptAnswer>>();
  let [isClosed, firstFailure]: [boolean, string | null] = [false, null];
  let counts: AskingCounts = { calls: 0, known: 0, malformed: 0, refused: 0, askedAgain: 0 };

  async function answerTo(key: string, question: Question, ask: (noted: Question) => Promise<unknown>) {
    const known = await kept.read(key);
    const given =
      known ??
      (await limit(() => {
        if (isClosed || signal?.aborted) throw new ModelCallError('cancelled', 'No further question is asked.');
        return answered(question, ask);
      }));
    if ('failure' in given) firstFailure ??= given.message;
    const isRefused = 'failure' in given && given.failure === 'refused';
    if (known === null && !isRefused) await kept.keep(key, given);
    const { calls, malformed, refused, askedAgain } = counts;
    counts = {
      calls: calls + 1,
      known: counts.known + Number(known !== null),
      malformed: malformed + Number('failure' in given && given.failure === 'malformed'),
      refused: refused + Number('failure' in given && given.failure === 'refused'),
      askedAgain: askedAgain + Number(given.again),
    };
    onAnswer?.(counts);
    return given;
  }

  /** What was asked is asked once, however many ask it. */
  async function once<Answer>(
    kind: string,
    question: Question,
    ask: (noted: Question) => Promise<Answer>,
  ): Promise<Answer> {
    const { prompt, values, maxTokens } = question;
    used.set(prompt.id, prompt.hash);
    const key = contentHash(canonicalJson([VERSION, kind, model.settings, prompt.hash, values, maxTokens]));
    const given = underWay.get(key) ?? answerTo(key, question, ask);
    underWay.set(key, given);
    const answer = await given;
    if ('failure' in answer) throw new ModelCallError(answer.failure, answer.message, NO_USAGE, { isFatal: false });
    // The key names what was asked and how it is read, so that its answer has this type.
    return answer.answer as Answer;
  }

  return {
    settings: model.settings,
    contextTokens: model.contextTokens,
    usage: () => model.usage(),
    counts: () => counts,
    prompts: () => Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1))),
    firstFailure: () => firstFailure,
    async close() {
      isClosed = true;
      await Promise.allSettled(underWay.values());
    },
    prompt: (id) => promptOf(prompts, id),
    ask: (question) => once('text', question, (noted) => asker.ask(noted)),
    askFor: <Form>(question: Question, form: JsonForm<Form>) =>
      once<Form>(`json ${form.name}`, question, (noted) => asker.askFor(noted, form)),
    weigh: (question, words) =>
      once<WeighedWord>(`word ${words.join(' ')}`, question, (noted) => asker.weigh(noted, words)),
  };
}

async function answered(question: Question, ask: (noted: Question) => Promise<unknown>): Promise<KeptAnswer> {
  let again = false;
  const onRestart = () => {
    again = true;
  };
  try {
    return { answer: await ask({ ...question, onRestart }), again };
  } catch (failure) {
    if (!isUnanswerable(failure)) throw failure;
    return { failure: failure.failure === 'refused' ? 'refused' : 'malformed', message: failure.message, again };
  }
}

function promptOf(prompts: Prompts, id: string): Prompt {
  const prompt = prompts.get(id);
  if (prompt === undefined) throw new TypeError(`there is no prompt "${id}"`);
  return prompt;
}
