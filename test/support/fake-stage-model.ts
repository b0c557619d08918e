import { type ModelCallError, type StageModel, stageModel } from '../../src/models/index.ts';
import type { ChatCall } from '../../src/models/language/language-model.ts';

/** What a fake model does with a call. */
export interface FakeReply {
  readonly text: string;
  /** Streamed before, each broken off and started anew. */
  readonly abandoned?: readonly string[];
  /** How the call fails after its text. */
  readonly failure?: ModelCallError;
  /** UTF-16 units of a streamed piece. */
  readonly piece?: number;
  /** Turns that whoever reads gets after each piece, besides a few now and then. */
  readonly turns?: number;
  /** Called when all is streamed, before the call ends. */
  readonly onStreamed?: () => void;
}

export type FakeScript = (call: ChatCall, index: number) => string | FakeReply | Promise<string | FakeReply>;

export interface FakeStage {
  readonly model: StageModel;
  /** The calls made, in order. */
  readonly calls: readonly ChatCall[];
  /** The largest number of calls under way at once. */
  readonly maxAtOnce: () => number;
}

/** A stage's model that answers by a script, streamed in pieces where that is asked for. No network, no time. */
export function fakeStage(script: FakeScript, contextTokens = 8000): FakeStage {
  const calls: ChatCall[] = [];
  let underWay = 0;
  let most = 0;
  const model = stageModel(
    {
      defaultModel: 'fake',
      contextTokens,
      async complete(call) {
        calls.push(call);
        most = Math.max(most, ++underWay);
        try {
          const said = await script(call, calls.length - 1);
          const reply: FakeReply = typeof said === 'string' ? { text: said } : said;
          const { text, abandoned = [], failure, piece = 7, turns = 0, onStreamed } = reply;
          if (call.onText !== undefined) {
            for (const broken of abandoned) {
              await stream(broken, piece, turns, call);
              call.onRestart?.();
            }
            await stream(text, piece, turns, call);
            onStreamed?.();
          }
          if (failure !== undefined) throw failure;
          return { text, isCut: false, usage: { requests: 1, promptTokens: 10, completionTokens: 5, cost: null } };
        } finally {
          underWay--;
        }
      },
    },
    { model: 'fake', temperature: null, topP: null, seed: null },
  );
  return { model, calls, maxAtOnce: () => most };
}

async function stream(text: string, piece: number, turns: number, { onText }: ChatCall): Promise<void> {
  for (let at = 0; at < text.length; at += piece) {
    onText?.(text.slice(at, at + piece));
    // Whoever reads gets a turn, sometimes a long one.
    for (let turn = 0; turn < turns + ((at / piece) % 3); turn++) await Promise.resolve();
  }
}

/** What the model was shown as the user's message. */
export function shown({ messages }: ChatCall): string {
  return messages.findLast(({ role }) => role === 'user')?.content ?? '';
}
