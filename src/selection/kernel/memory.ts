export interface Memory {
  /**
   * The value of this name, made if missing. Keeps the last requested variant of each name.
   *
   * @param variant everything the value depends on besides the items
   * @param make must not depend on other entries
   */
  keep<T>(name: string, variant: string, bytes: number, make: () => Promise<T>): Promise<T>;
}

export const NO_MEMORY: Memory = { keep: (_name, _variant, _bytes, make) => make() };

/** A memory of at most `most` bytes. Values that do not fit are made every time. */
export function boundedMemory(most: number): Memory & { readonly bytes: number } {
  const kept = new Map<
    string,
    { readonly variant: string; readonly bytes: number; readonly value: Promise<unknown> }
  >();
  let bytesInUse = 0;
  const forget = (name: string): void => {
    bytesInUse -= kept.get(name)?.bytes ?? 0;
    kept.delete(name);
  };
  async function keep<T>(name: string, variant: string, bytes: number, make: () => Promise<T>): Promise<T> {
    const known = kept.get(name);
    if (known?.variant === variant) {
      const [outcome] = await Promise.allSettled([known.value]);
      // If its maker was aborted, the entry is gone.
      return outcome.status === 'fulfilled' ? (outcome.value as T) : keep(name, variant, bytes, make);
    }
    forget(name);
    if (bytesInUse + bytes > most) return make();
    const value = make();
    bytesInUse += bytes;
    kept.set(name, { variant, bytes, value });
    value.catch(() => {
      if (kept.get(name)?.value === value) forget(name);
    });
    return value;
  }
  return {
    keep,
    get bytes() {
      return bytesInUse;
    },
  };
}

export function scoped({ keep }: Memory, scope: string): Memory {
  return { keep: (name, variant, bytes, make) => keep(`${scope}: ${name}`, variant, bytes, make) };
}
