import type { BatchItem } from 'drizzle-orm/batch';
import type { Database } from '../../store/database.ts';
import { insertEvents, type JobEvent, readEvents } from '../../store/job-events.ts';
import { isUnderWay, type Lease, noteProgress } from '../../store/jobs.ts';
import type { SummarySentence } from '../../contract/summary.ts';
import type { Progress } from '../../digest/digest-run.ts';

/** Milliseconds that progress may wait to be written with what comes after it. */
const PATIENCE = 100;

/** What an attempt at a job tells, on its way into the database. */
export interface EventLog {
  progress(progress: Progress): void;
  /** Sentences that an attempt before told in the same words are not told again. */
  sentence(sentence: SummarySentence): void;
  /** Writes what is waiting, and stops. */
  close(): Promise<void>;
}

/**
 * Begins to log an attempt: numbers go on from what attempts before told.
 *
 * @param onWritten told when readers can find something new
 * @param onFailure told where the database refused
 */
export async function eventLog(
  database: Database,
  lease: Lease,
  onWritten: () => void,
  onFailure: (failure: unknown) => void,
): Promise<EventLog> {
  const before = lease.attempt === 1 ? [] : await allEvents(database, lease.id);
  const told = new Map(before.flatMap(({ event, data }) => (event === 'sentence' ? [[indexIn(data), data]] : [])));
  let number = Math.max(1, ...before.map((event) => event.number)); // 1 is `accepted`, written with the job
  let index = 0;
  let waiting: JobEvent[] = [];
  let last: Progress | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();
  const numberOf = new Map<string, number>();

  function add(event: string, data: unknown, patience: number): void {
    waiting.push({ number: ++number, event, data: JSON.stringify(data) });
    if (patience === 0) clearTimeout(timer);
    if (timer === undefined || patience === 0) timer = setTimeout(flush, patience);
  }

  /** Statements for what is not written yet. */
  function take(): BatchItem<'sqlite'>[] {
    clearTimeout(timer);
    timer = undefined;
    const statements = insertEvents(database, lease, waiting, isUnderWay(lease));
    if (last !== null) statements.push(noteProgress(database, lease, JSON.stringify(last)));
    waiting = [];
    last = null;
    return statements;
  }

  function flush(): void {
    const statements = take();
    if (statements.length === 0) return;
    writing = writing.then(() => database.commit(statements)).then(onWritten, onFailure);
  }

  return {
    progress(progress) {
      last = progress;
      add('progress', progress, PATIENCE);
    },
    sentence(sentence) {
      const data = { index: index++, ...sentence, sources: numbersOf(sentence, numberOf) };
      if (told.get(data.index) !== JSON.stringify(data)) add('sentence', data, 0);
    },
    async close() {
      flush();
      await writing;
    },
  };
}

/** Which sentence a `sentence` event tells; the last that told it holds. */
function indexIn(data: string | null): number {
  return JSON.parse(data ?? '{}').index;
}

async function allEvents(database: Database, id: string): Promise<JobEvent[]> {
  const events: JobEvent[] = [];
  for (let page = await readEvents(database, id, 0); page.length > 0; ) {
    events.push(...page);
    page = await readEvents(database, id, page[page.length - 1].number);
  }
  return events;
}

/** The numbers of a sentence's sources: documents count up as a reader meets them, as in the finished digest. */
function numbersOf({ citations }: SummarySentence, numberOf: Map<string, number>): number[] {
  for (const { document } of citations) if (!numberOf.has(document)) numberOf.set(document, numberOf.size + 1);
  return [...new Set(citations.map(({ document }) => numberOf.get(document) ?? 0))].sort((a, b) => a - b);
}
