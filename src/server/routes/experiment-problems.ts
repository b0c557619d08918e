import { conflict } from '../problem.ts';
import { missing } from '../responses.ts';

export const NO_EXPERIMENT = missing('There is no experiment with this key.');
export const NO_VERSION = missing(
  'There is no experiment with this key.',
  'There is no experiment with this key, or no such version of it.',
);

export const LAYER_TAKEN = conflict({
  code: 'layer-taken',
  message: 'The experiment "strategies" runs in this part of the layer.',
  pointer: '/layer',
});
/** 409 of a state that does not allow what is asked. */
export const stateConflict = (message: string) => conflict({ code: 'experiment-state', message, pointer: null });
