import type { DigestEvent, Progress, SentenceNews } from '../../client/index.ts';

type Stage = Progress['stage'];

/** The stages in their order, in words. */
export const STAGES: readonly { readonly stage: Stage; readonly title: string; readonly line: string }[] = [
  { stage: 'extract', title: 'Read', line: 'Finding key points in the documents' },
  { stage: 'encode', title: 'Compare', line: 'Finding out which points say the same' },
  { stage: 'rank', title: 'Weigh', line: 'Holding the points against your question' },
  { stage: 'select', title: 'Choose', line: 'Choosing points that matter and differ' },
  { stage: 'write', title: 'Write', line: 'Writing them up, with sources' },
];

/** How far a digest has come. */
export interface RunProgress {
  /** Null until the service has taken it. */
  readonly id: string | null;
  /** The latest stage that was told of. */
  readonly stage: Stage | null;
  readonly counts: Readonly<Partial<Record<Stage, { readonly done: number; readonly total: number }>>>;
  /** Ids of documents that were read. */
  readonly read: ReadonlySet<string>;
  /** The document that was read last. */
  readonly last: string | null;
  /** By their places; those that have not come yet are missing. */
  readonly sentences: readonly SentenceNews[];
}

export const NOT_BEGUN: RunProgress = { id: null, stage: null, counts: {}, read: new Set(), last: null, sentences: [] };

/** The progress after one more event. */
export function afterEvent(progress: RunProgress, event: DigestEvent): RunProgress {
  switch (event.event) {
    case 'accepted':
      return { ...progress, id: event.data.id };
    case 'progress': {
      const { stage, done, total, document } = event.data;
      const counts = { ...progress.counts, [stage]: { done, total } };
      const latest = laterOf(progress.stage, stage);
      if (document === undefined) return { ...progress, stage: latest, counts };
      const isRead = stage === 'extract';
      const read = isRead && !progress.read.has(document) ? new Set(progress.read).add(document) : progress.read;
      return { ...progress, stage: latest, counts, read, last: isRead ? document : progress.last };
    }
    case 'sentence': {
      const others = progress.sentences.filter(({ index }) => index !== event.data.index);
      const sentences = [...others, event.data].sort((a, b) => a.index - b.index);
      return { ...progress, stage: laterOf(progress.stage, 'write'), sentences };
    }
    case 'digest':
      return { ...progress, id: event.data.id };
  }
}

/** The stage under way: the first that is not over; null before the service has begun, and when all are over. */
export function stageNow({ stage: latest, counts }: RunProgress): Stage | null {
  if (latest === null) return null;
  const isOver = ({ stage }: { readonly stage: Stage }): boolean => {
    const count = counts[stage];
    const isWhole = count !== undefined && count.total > 0 && count.done >= count.total;
    return placeOf(stage) < placeOf(latest) || (isWhole && stage !== 'write');
  };
  return STAGES.find((each) => !isOver(each))?.stage ?? null;
}

/** Whether a stage is over, under way or still to come. */
export function stateOf(progress: RunProgress, stage: Stage): 'done' | 'now' | 'waiting' {
  const now = stageNow(progress);
  if (now === null || placeOf(stage) > placeOf(now)) return 'waiting';
  return stage === now ? 'now' : 'done';
}

function laterOf(a: Stage | null, b: Stage): Stage {
  return a !== null && placeOf(a) > placeOf(b) ? a : b;
}

function placeOf(stage: Stage): number {
  return STAGES.findIndex((each) => each.stage === stage);
}

/** A time as people say it. */
export function elapsedWords(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
