import type { AskedModel } from '../../../src/lab/asking/asked-model.ts';
import { type KeptAnswers, keptAnswers, keptModel } from '../../../src/lab/asking/kept-model.ts';
import { type ModelSettings, type Prompts, parsePrompt, type Question } from '../../../src/models/index.ts';
import { type Database, forTenant, storeCache } from '../../../src/store/index.ts';
import { AskedStageModel, type FakeAnswer } from '../../support/asked-stage-model.ts';
import { memoryDatabase } from '../../support/test-deps.ts';

const promptFile = (id: string, words = 'Answer.') =>
  parsePrompt(
    `---\nid: ${id}\nstage: benchmark\npurpose: p\nvariables: [of]\n---\n# System\n${words}\n# User\n{{of}}\n`,
  );

export const PROMPTS: Prompts = new Map(['one', 'two'].map((id) => [id, promptFile(id)]));
export const REWORDED = promptFile('one', 'Answer briefly.');

/** What is asked of something. */
export function question(of: string, more: Partial<Question> = {}): Question {
  return { prompt: PROMPTS.get('one') ?? REWORDED, values: { of }, maxTokens: 50, ...more };
}

interface Asking {
  readonly model: AskedModel;
  readonly stage: AskedStageModel;
  readonly database: Database;
  readonly kept: KeptAnswers;
}

/** New databases, of which only one takes time to make. */
export function databases(): () => Database {
  const shared = memoryDatabase();
  let tenants = 0;
  return () => forTenant(shared, `tenant-${tenants++}`);
}

/** A model whose answers are kept in a database, over one that answers by a function. */
export function asking(
  answer: FakeAnswer,
  {
    database = memoryDatabase(),
    restart = false,
    retry = false,
    settings = {},
  }: {
    readonly database?: Database;
    readonly restart?: boolean;
    readonly retry?: boolean;
    readonly settings?: Partial<ModelSettings>;
  } = {},
): Asking {
  const stage = new AskedStageModel(answer);
  const kept = keptAnswers(storeCache(database), { restart, retry });
  const named = Object.assign(stage, { settings: { ...stage.settings, ...settings } });
  return { model: keptModel(named, PROMPTS, kept), stage, database, kept };
}
