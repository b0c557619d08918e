import { Component, type ComponentChildren } from 'preact';
import { ConnectionError, TesseraClientError } from '../../client/index.ts';

interface ProblemProps {
  readonly failure: unknown;
  /** Without it there is no retry button. */
  readonly again?: (() => void) | undefined;
}

export function Problem({ failure, again }: ProblemProps) {
  const { title, detail, errors, requestId } = factsOf(failure);
  return (
    <div class="problem" role="alert">
      <p>
        <strong>{title}</strong>
        {detail !== null && ` ${detail}`}
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

interface Facts {
  readonly title: string;
  readonly detail: string | null;
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
  readonly requestId: string | null;
}

/** The service's messages about keys name headers, so the page has its own. */
function factsOf(failure: unknown): Facts {
  const plain = { detail: null, errors: [], requestId: null };
  if (failure instanceof ConnectionError) return { ...plain, title: 'The service cannot be reached.' };
  if (!(failure instanceof TesseraClientError)) {
    const message = failure instanceof Error ? failure.message : String(failure);
    return { ...plain, title: 'Something went wrong.', detail: message };
  }
  const { problem, requestId, message, status } = failure;
  const { title = message, detail = null, errors = [], type = '' } = problem ?? {};
  if (status === 401) {
    const isWrong = type.endsWith(':invalid-key');
    const said = isWrong
      ? 'The key was not accepted: it is mistyped, unknown or revoked.'
      : 'This service needs an API key.';
    return {
      title: said,
      detail: `Enter ${isWrong ? 'another one' : 'it'} in the menu at the top right.`,
      errors: [],
      requestId,
    };
  }
  const hint = type.endsWith(':insufficient-scope') ? ' Enter another key in the menu at the top right.' : '';
  return { title: title.endsWith('.') ? title : `${title}.`, detail: `${detail ?? ''}${hint}`, errors, requestId };
}
