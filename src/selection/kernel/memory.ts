/** What is found of a set of items and may be found again: values that depend on nothing but the items and their variant. */
export interface Memory {
  /**
   * The value of this name, made where it is not there. Of each name one variant is kept, the last that was asked for.
   *
   * @param name always names a value of the same type
   * @param variant everything beside the items that the value depends on
   * @param bytes what the value takes
   * @param make makes it; must not depend on what else is kept
   */
  keep<T>(name: string, variant: string, bytes: number, make: () => Promise<T>): Promise<T>;
}

/** Keeps nothing. */
export const NO_MEMORY: Memory = { keep: (_name, _variant, _bytes, make) => make() };

/** A memory that says how much it holds. */
interface BoundedMemory extends Memory {
  readonly bytes: number;
}

/**
 * A memory of bounded size. What does not fit is made every time.
 *
 * @param most bytes
 */
export function boundedMemory(most: number): BoundedMemory {
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
      // A name always names a value of the same type. Whoever made it may have been called off: then it is gone.
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

/** The part of a memory for values that also depend on what `scope` says. */
export function scoped({ keep }: Memory, scope: string): Memory {
  return { keep: (name, variant, bytes, make) => keep(`${scope}: ${name}`, variant, bytes, make) };
}
