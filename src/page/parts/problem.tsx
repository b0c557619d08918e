import { Component, type ComponentChildren } from 'preact';
import { ConnectionError, TesseraClientError } from '../../client/index.ts';
import { KeyForm } from '../key-form.tsx';

interface ProblemProps {
  readonly failure: unknown;
  /** Without it there is no retry button. */
  readonly again?: (() => void) | undefined;
  /** Where a key is entered. */
  readonly place?: string;
}

/** A failure to load; asks for a key where one is needed. With it the view is loaded again, at the same address. */
export function LoadProblem(problem: ProblemProps) {
  if (!needsKey(problem.failure)) return <Problem {...problem} />;
  return (
    <>
      <Problem failure={problem.failure} place="here" />
      <KeyForm />
    </>
  );
}

export function Problem({ failure, again, place = 'in the menu at the top right' }: ProblemProps) {
  const [title, detail] = describe(failure, place);
  const { problem = null, requestId = null } = failure instanceof TesseraClientError ? failure : {};
  const errors = problem?.errors ?? [];
  return (
    <div class="problem" role="alert">
      <p>
        <strong>{title}</strong>
        {detail !== '' && ` ${detail}`}
      </p>
      {errors.length > 0 && (
        <ul>
          {errors.map(({ pointer, detail }) => (
            <li key={pointer + detail}>
              <code>{pointer}</code> {detail}
            </li>
          ))}
        </ul>
      )}
      {requestId !== null && <p class="muted">Request {requestId}</p>}
      {again !== undefined && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Notices({ of }: { readonly of: readonly string[] }) {
  return of.map((notice) => (
    <p key={notice} class="notice">
      {notice}
    </p>
  ));
}

export class ErrorBoundary extends Component<{ readonly children: ComponentChildren }, { readonly failure: unknown }> {
  override state = { failure: null };

  static override getDerivedStateFromError(failure: unknown) {
    return { failure: failure ?? new Error('unknown') };
  }

  override render() {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    return <Problem failure={failure} again={() => this.setState({ failure: null })} />;
  }
}

function needsKey(failure: unknown): boolean {
  if (!(failure instanceof TesseraClientError)) return false;
  return failure.status === 401 || failure.problem?.type?.endsWith(':insufficient-scope') === true;
}

/** The service's messages about keys name headers, so the page has its own. */
function describe(failure: unknown, place: string): readonly [title: string, detail: string] {
  if (failure instanceof ConnectionError) return ['The service cannot be reached.', ''];
  if (!(failure instanceof TesseraClientError)) {
    return ['Something went wrong.', failure instanceof Error ? failure.message : String(failure)];
  }
  const { title = failure.message, detail = '', type = '' } = failure.problem ?? {};
  if (type.endsWith(':invalid-key')) {
    return ['The key was not accepted: it is mistyped, unknown or revoked.', `Enter another one ${place}.`];
  }
  if (failure.status === 401) return ['This service needs an API key.', `Enter it ${place}.`];
  const hint = needsKey(failure) ? ` Enter another key ${place}.` : '';
  return [title.endsWith('.') ? title : `${title}.`, detail + hint];
}
