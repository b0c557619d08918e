import { Component, type ComponentChildren } from 'preact';
import { Problem } from './problem.tsx';

interface Props {
  readonly children: ComponentChildren;
}

/** A view that breaks says so, and leaves the others alone. */
export class ErrorBoundary extends Component<Props, { readonly failure: unknown }> {
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
