import type { Database } from '../../../src/store/index.ts';
import { judgements } from '../../../src/store/schema.ts';
import type { RecordedRequest, RequestBody, Script } from '../../support/scripted-model-server.ts';
import { until } from '../../support/until.ts';

/** The messages of a request, as one text. */
export function messagesOf({ messages = [] }: RequestBody): string {
  return messages.map(({ content }) => content).join('\n');
}

interface Stopping {
  /** Requests that are answered before. */
  readonly answers: number;
  readonly database: Database;
  readonly stop: () => void;
  /** Whether the answer to a request is the last that its question needs; true without it. */
  readonly ends?: (request: RecordedRequest) => boolean;
}

/**
 * Answers so many requests by a script; once all that came of them is kept, it has the command stopped, and answers those
 * that are under way by then.
 */
export function stoppingAfter({ answers, database, stop, ends = () => true }: Stopping, script: Script): Script {
  let [answered, kept] = [0, 0];
  let stopping: Promise<void> | null = null;
  return async (request, index) => {
    if (answered < answers) {
      answered++;
      if (ends(request)) kept++;
      return script(request, index);
    }
    stopping ??= until(
      'all answers to be kept',
      async () => (await database.query.select().from(judgements)).length === kept,
    ).then(stop);
    await stopping;
    return script(request, index);
  };
}
