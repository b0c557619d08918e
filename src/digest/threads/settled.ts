import { TesseraError } from '../../text/index.ts';

/** What a thread answers: its result, or the failure that Tessera names, which would lose its class on the way. */
export type Settled<T> =
  | { readonly result: T }
  | { readonly refused: { readonly code: string; readonly message: string; readonly pointer: string | null } };

/** A failure with a name that a thread met. */
class RefusedInThread extends TesseraError {
  readonly code: string;
  override readonly pointer: string | null;

  constructor({ code, message, pointer }: { code: string; message: string; pointer: string | null }) {
    super(message);
    this.code = code;
    this.pointer = pointer;
  }
}

/** Runs in the thread: turns a failure with a name into plain data. Others fail the thread's task as they are. */
export async function settle<T>(work: () => Promise<T>): Promise<Settled<T>> {
  try {
    return { result: await work() };
  } catch (failure) {
    if (!(failure instanceof TesseraError)) throw failure;
    const { code, message, pointer } = failure;
    return { refused: { code, message, pointer } };
  }
}

/** Runs on the other side: the result, or the failure again. */
export function unwrap<T>(settled: Settled<T>): T {
  if ('refused' in settled) throw new RefusedInThread(settled.refused);
  return settled.result;
}
