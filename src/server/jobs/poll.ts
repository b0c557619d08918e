export interface Polling {
  wake(): void;
  /** Ends after the current look. */
  stop(): Promise<void>;
}

/** Looks for work when woken (again if woken meanwhile), and after the milliseconds that `look` resolves to, or `pause` after a failure. */
export function poll(look: () => Promise<number>, pause: number, onFailure: (failure: unknown) => void): Polling {
  let isWoken = false;
  let isStopped = false;
  let looking: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function lookWhileWoken(): Promise<void> {
    let next = pause;
    while (isWoken && !isStopped) {
      isWoken = false;
      try {
        next = await look();
      } catch (failure) {
        next = pause;
        onFailure(failure);
      }
    }
    looking = null;
    if (!isStopped) timer = setTimeout(wake, next);
  }

  function wake(): void {
    isWoken = true;
    if (isStopped) return;
    clearTimeout(timer);
    looking ??= lookWhileWoken();
  }

  return {
    wake,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
