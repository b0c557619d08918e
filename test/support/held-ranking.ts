import { onTestFinished } from 'vitest';
import { InProcessEngine } from './in-process-engine.ts';

/** An engine that ranks nothing before it is let go, which it is when the test ends at the latest. */
export function heldEngine(): { readonly engine: InProcessEngine; release(): void } {
  const engine = new InProcessEngine();
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const rank = engine.rank.bind(engine);
  engine.rank = async (task) => {
    await held;
    return rank(task);
  };
  onTestFinished(() => release());
  return { engine, release };
}
