import { onTestFinished } from 'vitest';
import type { JudgeRequest } from '../../../src/evaluation/index.ts';
import type { JudgingOptions } from '../../../src/evaluation/judge.ts';
import { modelJudge } from '../../../src/evaluation/model/model-judge.ts';
import type { LanguageModel, Prompts } from '../../../src/models/index.ts';
import type { ChatCall } from '../../../src/models/language/language-model.ts';
import type { ServiceDeps } from '../../../src/server/index.ts';
import { WORK_HERE } from '../../../src/server/service-deps.ts';
import { openDatabase } from '../../../src/store/index.node.ts';
import { type Database, storeCache } from '../../../src/store/index.ts';
import { InProcessEngine } from '../../support/in-process-engine.ts';
import { PROMPTS } from '../../support/prompts.ts';

/** A call as a judge's model sees it. */
export interface Shown {
  /** Id of the prompt that it was asked with. */
  readonly prompt: string;
  /** What stands between the lines that mark it as data, by what it is called: `bullet 1`, `claim`. */
  readonly data: Readonly<Record<string, string>>;
  /** The whole of the user's message. */
  readonly user: string;
  /** Whether it is asked once more, as the answer could not be read. */
  readonly isAgain: boolean;
  readonly call: ChatCall;
}

/** What the model answers: a value becomes JSON, a string stays as it is. */
export type Answers = (shown: Shown, index: number) => unknown;

/** An answer to every question of a judge. */
export const ANSWERS: Answers = ({ prompt, data }) => {
  switch (prompt) {
    case 'judge-coverage':
      return { coverage: 'PARTIAL', bullet: 1 };
    case 'judge-entailment':
      return data.text.includes('b') ? { evidence: data.text, verdict: 'YES' } : { evidence: '', verdict: 'NO' };
    case 'judge-key-points':
      return { keyPoints: [{ evidence: data.answer, text: data.answer }] };
    case 'judge-kind':
      return { kind: 'ABSENCE' };
    case 'judge-reported':
      return { reported: [Object.keys(data).filter((name) => name.startsWith('nugget')).length] };
    case 'judge-answered':
      return { evidence: data.summary.slice(0, 4), verdict: 'OTHER' };
    default:
      return { relevant: 'YES' };
  }
};

interface Judging {
  readonly database: Database;
  readonly deps: ServiceDeps;
  /** The calls made by all judges over these deps. */
  readonly calls: Shown[];
  judge(request?: Omit<JudgeRequest, 'judge'>, options?: JudgingOptions): ReturnType<typeof modelJudge>;
}

const DATA = /<<<BEGIN (.+) ([0-9a-f]{16})>>>\n([\s\S]*?)\n<<<END \1 \2>>>/g;

function shownIn(call: ChatCall, prompts: Prompts = PROMPTS): Shown {
  const [system, user] = call.messages;
  const prompt = [...prompts.values()].find((each) => each.system === system.content)?.id ?? 'unknown';
  const data = Object.fromEntries([...user.content.matchAll(DATA)].map(([, name, , text]) => [name, text]));
  return { prompt, data, user: user.content, isAgain: call.messages.length > 2, call };
}

/** Judges over a model that answers by a function: no network, no time. */
export function judging(
  answers: Answers,
  {
    database = ownDatabase(),
    prompts = PROMPTS,
    contextTokens = 8_000,
  }: { readonly database?: Database; readonly prompts?: Prompts; readonly contextTokens?: number } = {},
): Judging {
  const calls: Shown[] = [];
  const model: LanguageModel = {
    defaultModel: 'm',
    contextTokens,
    async complete(call) {
      const shown = shownIn(call, prompts);
      calls.push(shown);
      const answer = await answers(shown, calls.length - 1);
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
      return { text, isCut: false, usage: { requests: 1, promptTokens: 100, completionTokens: 10, cost: 0.5 } };
    },
  };
  const deps: ServiceDeps = {
    database,
    cache: storeCache(database),
    engine: new InProcessEngine(),
    models: { model, prompts, extractor: 'sentences', writer: 'compose' },
    work: WORK_HERE,
    reportFailure: () => {},
  };
  return {
    database,
    deps,
    calls,
    judge: (request = {}, options) => modelJudge({ judge: 'llm', ...request }, deps, options),
  };
}

function ownDatabase(): Database {
  const database = openDatabase(':memory:');
  onTestFinished(() => database.close());
  return database;
}
