import type { DigestOrder, ExperimentOrder } from '../digest/jobs/digest-order.ts';
import { UnusableOptionError } from '../digest/unusable-option-error.ts';
import { TesseraError } from '../tessera-error.ts';

/**
 * The failure of an order as its caller can understand it: where what is at fault is not in the request, but came with the options of
 * its variant, it points at the experiment.
 */
export function blameVariant(failure: unknown, asked: ExperimentOrder, { experiment }: DigestOrder): unknown {
  const variant = experiment?.variant ?? null;
  if (variant === null || !(failure instanceof TesseraError) || failure.pointer === null) return failure;
  const isOption = /^\/(?:selection|summary|engine)\//.test(failure.pointer);
  if (!isOption || holds(asked, failure.pointer.slice(1).split('/'))) return failure;
  const message = `With this request the options of the variant "${variant}" cannot be served: ${failure.pointer}: ${failure.message}`;
  return new UnusableOptionError('/experiment/key', message);
}

/** Whether there is anything at a path. */
function holds(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return value !== undefined;
  return (
    typeof value === 'object' &&
    value !== null &&
    holds(Object.entries(value).find(([each]) => each === name)?.[1], rest)
  );
}
