import { AuthenticationError, PermissionError } from '../../client/index.ts';
import { Problem } from '../parts/problem.tsx';

/** A failure of what keys may or may not do, said plainly; any other as it is. */
export function ExperimentProblem({ failure, again }: { readonly failure: unknown; readonly again: () => void }) {
  return (
    <>
      {failure instanceof PermissionError && (
        <p class="notice">
          This key may not read experiments: that takes one with the scope “experiments”. Give another under “Key” at
          the top, or ask whoever made this one.
        </p>
      )}
      {failure instanceof AuthenticationError && (
        <p class="notice">This service asks for a key, with the scope “experiments”. Give it under “Key” at the top.</p>
      )}
      <Problem failure={failure} again={again} />
    </>
  );
}
