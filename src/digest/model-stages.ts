import {
  type EngineRequest,
  STAGE_NAMES,
  type StageName,
  type StageRecord,
  type StageRequest,
} from '../contract/index.ts';
import {
  addUsage,
  type CallUsage,
  type EncoderCaller,
  knownContext,
  type LanguageModel,
  type ModelSettings,
  NO_USAGE,
  type Prompt,
  type PromptPurpose,
  type Prompts,
  type StageModel,
  stageModel,
} from '../models/index.ts';
import { UnusableOptionError } from './errors.ts';

export interface ModelStages extends EncoderCaller {
  /** `wantedBy` is the pointer to the option that needs the model. @throws UnusableOptionError if missing */
  model(stage: StageName, wantedBy: string): StageModel;
  /** The requested prompt of a stage, or this one. @throws UnusableOptionError if missing, or for another purpose or other variables */
  prompt(stage: StageName, purpose: PromptPurpose, id?: string): Prompt;
  records(): Readonly<Partial<Record<StageName, StageRecord>>>;
  hashes(): Readonly<Record<string, string>>;
  usage(): { readonly total: CallUsage; readonly stages: StagesUsage };
  account(): StagesAccount;
  restore(account: StagesAccount): void;
}

type StagesUsage = Readonly<Partial<Record<StageName | 'encode', CallUsage>>>;

export interface StagesAccount {
  readonly records: Readonly<Partial<Record<StageName, StageRecord>>>;
  readonly hashes: Readonly<Record<string, string>>;
  readonly usage: StagesUsage;
}

export function modelStages(
  { model, prompts }: { readonly model: LanguageModel | null; readonly prompts: Prompts },
  request: EngineRequest,
  signal?: AbortSignal,
): ModelStages {
  for (const stage of STAGE_NAMES) {
    const named = request.stages?.[stage]?.prompt;
    const purpose = named === undefined ? undefined : prompts.get(named)?.stage;
    if (named !== undefined && !isOfStage(purpose, stage)) throw noPrompt(stage, stage, named, prompts);
  }
  const stages = new Map<StageName, { readonly model: StageModel; prompt: string }>();
  const used = new Map<string, string>();
  let encoding = NO_USAGE;
  let before: StagesAccount = { records: {}, hashes: {}, usage: {} };

  return {
    signal,
    model(stage, wantedBy) {
      const known = stages.get(stage);
      if (known !== undefined) return known.model;
      if (model === null) {
        throw new UnusableOptionError(
          wantedBy,
          'needs a language model, but none is configured: set OPENAI_API_KEY, or OPENAI_BASE_URL for another server.',
        );
      }
      const settings = settingsOf(stage, request, model);
      // The context is that of the default model.
      const other = settings.model === model.defaultModel ? undefined : knownContext(settings.model);
      const contextTokens = Math.min(model.contextTokens, other ?? model.contextTokens);
      const made = stageModel({ ...model, contextTokens }, settings, signal);
      stages.set(stage, { model: made, prompt: '' });
      return made;
    },
    prompt(stage, purpose, id = purpose) {
      const named = isOfStage(purpose, stage) ? request.stages?.[stage]?.prompt : undefined;
      // A named prompt gets the variables of the default one.
      const given = prompts.get(id)?.variables ?? [];
      const isFit = (each: Prompt) => each.stage === purpose && each.variables.every((name) => given.includes(name));
      const prompt = prompts.get(named ?? id);
      if (prompt === undefined || !isFit(prompt)) {
        throw noPrompt(stage, purpose, named ?? id, new Map([...prompts].filter(([, each]) => isFit(each))));
      }
      used.set(prompt.id, prompt.hash);
      const asking = stages.get(stage);
      if (asking !== undefined && asking.prompt === '') asking.prompt = prompt.id;
      return prompt;
    },
    records() {
      const now = [...stages].map(([stage, { model, prompt }]) => [stage, { ...model.settings, prompt }]);
      return { ...before.records, ...Object.fromEntries(now) };
    },
    spend(usage) {
      encoding = addUsage(encoding, usage);
    },
    hashes: () => ({ ...before.hashes, ...Object.fromEntries(used) }),
    usage() {
      const each = new Map<string, CallUsage>(Object.entries(before.usage));
      const add = (stage: string, usage: CallUsage) => each.set(stage, addUsage(each.get(stage) ?? NO_USAGE, usage));
      for (const [stage, asked] of stages) add(stage, asked.model.usage());
      if (encoding.requests > 0) add('encode', encoding);
      return {
        total: [...each.values()].reduce(addUsage, NO_USAGE),
        stages: Object.fromEntries(each),
      };
    },
    account() {
      return { records: this.records(), hashes: this.hashes(), usage: this.usage().stages };
    },
    restore(account) {
      before = account;
    },
  };
}

/** Whether a prompt named for the stage replaces the purpose: the naive prompt writes too. */
function isOfStage(purpose: PromptPurpose | undefined, stage: StageName): boolean {
  return purpose === stage || (purpose === 'naive' && stage === 'write');
}

function noPrompt(stage: StageName, purpose: PromptPurpose, id: string, prompts: Prompts): UnusableOptionError {
  const there = [...prompts.values()].filter((each) => each.stage === purpose).map((each) => `"${each.id}"`);
  const problem = `There is no prompt "${id}" for this stage; available: ${there.join(', ') || 'none'}.`;
  return new UnusableOptionError(`/engine/stages/${stage}/prompt`, problem);
}

const DEFAULTS = { temperature: 0, seed: 1 };

function settingsOf(stage: StageName, request: EngineRequest, { defaultModel }: LanguageModel): ModelSettings {
  const asked: StageRequest = request.stages?.[stage] ?? {};
  const name = asked.model ?? request.model ?? defaultModel;
  if (name === null) {
    throw new UnusableOptionError('/engine/model', 'is required: TESSERA_MODEL sets no default model.');
  }
  return {
    model: name,
    temperature: asked.temperature ?? DEFAULTS.temperature,
    topP: asked.topP ?? null,
    seed: asked.seed ?? DEFAULTS.seed,
  };
}
