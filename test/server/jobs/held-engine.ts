import type { Extraction } from '../../../src/digest/engine.ts';
import type { Ranking, RankingTask } from '../../../src/digest/rank/ranking-task.ts';
import type { SelectionTask } from '../../../src/digest/select/selection-task.ts';
import type { Selection, SelectionOptions } from '../../../src/selection/index.ts';
import { InProcessEngine } from '../../support/in-process-engine.ts';

type HeldStage = 'extract' | 'rank' | 'select';

/** Where a stage waits. */
interface Gate {
  /** Once the first comes to it. */
  readonly reached: Promise<void>;
  open(): void;
}

/** An engine whose stages wait where a test holds them, and fail where it says so. */
export class HeldEngine extends InProcessEngine {
  /** What `rank` fails with, call by call; null lets a call through, and so does the end of the list. */
  readonly rankFailures: (Error | null)[] = [];
  readonly #gates = new Map<HeldStage, Gate & { pass(): Promise<void> }>();

  /** Lets nobody through a stage until its gate is opened. */
  hold(stage: HeldStage): Gate {
    let arrive = (): void => {};
    let open = (): void => {};
    const reached = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const pass = (): Promise<void> => {
      arrive();
      return opened;
    };
    const gate = { reached, open, pass };
    this.#gates.set(stage, gate);
    return gate;
  }

  openAll(): void {
    for (const gate of this.#gates.values()) gate.open();
  }

  override async extract(text: string): Promise<Extraction> {
    await this.#gates.get('extract')?.pass();
    return super.extract(text);
  }

  override async rank(task: RankingTask): Promise<Ranking> {
    await this.#gates.get('rank')?.pass();
    const failure = this.rankFailures.shift() ?? null;
    if (failure !== null) throw failure;
    return super.rank(task);
  }

  override async select(task: SelectionTask, options: SelectionOptions): Promise<Selection> {
    await this.#gates.get('select')?.pass();
    return super.select(task, options);
  }
}
