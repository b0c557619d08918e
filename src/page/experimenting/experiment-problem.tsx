import { AuthenticationError, PermissionError } from '../../client/index.ts';
import { Problem } from '../parts/problem.tsx';

/** A failure of what keys may or may not do, said plainly; any other as it is. */
export function ExperimentProblem({ failure, again }: { readonly failure: unknown; readonly again: () => void }) {
  return (
    <>
      {failure instanceof PermissionError && (
        <p class="notice">
          Your API key cannot read experiments. Enter a key with the scope “experiments” in the menu at the top right.
        </p>
      )}
      {failure instanceof AuthenticationError && (
        <p class="notice">Experiments need an API key with the scope “experiments”.</p>
      )}
      <Problem failure={failure} again={again} />
    </>
  );
}
