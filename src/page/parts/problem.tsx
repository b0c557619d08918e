import { Component, type ComponentChildren } from 'preact';
import { AuthenticationError, ConnectionError, TesseraClientError } from '../../client/index.ts';

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

const WHERE = 'in the menu at the top right.';

/** The service's messages about keys name headers, so the page has its own. */
function factsOf(failure: unknown): Facts {
  if (failure instanceof ConnectionError) {
    return { title: 'The service cannot be reached.', detail: null, errors: [], requestId: null };
  }
  if (!(failure instanceof TesseraClientError)) {
    const message = failure instanceof Error ? failure.message : String(failure);
    return { title: 'Something went wrong.', detail: message, errors: [], requestId: null };
  }
  const { problem, requestId, message } = failure;
  const { title = message, detail = null, errors = [], type = '' } = problem ?? {};
  if (type.endsWith(':invalid-key')) {
    const wrong = 'The key was not accepted: it is mistyped, unknown or revoked.';
    return { title: wrong, detail: `Enter another one ${WHERE}`, errors: [], requestId };
  }
  if (failure instanceof AuthenticationError) {
    const hasOwn = detail !== null && !/\bauthorization\b/i.test(detail);
    const needed = 'This service needs an API key.';
    return { title: needed, detail: hasOwn ? detail : `Enter it ${WHERE}`, errors: [], requestId };
  }
  if (type.endsWith(':insufficient-scope')) {
    const words = `${detail ?? ''} Enter another one ${WHERE}`.trim();
    return { title: 'Your API key does not allow this.', detail: words, errors: [], requestId };
  }
  return { title: title.endsWith('.') ? title : `${title}.`, detail, errors, requestId };
}
