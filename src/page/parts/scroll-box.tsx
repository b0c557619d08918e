import type { ComponentChildren } from 'preact';

interface ScrollBoxProps {
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Holds a table that may be wider than the page. */
export function ScrollBox({ label, children, ...box }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section class={`scrolls ${box.class ?? ''}`} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
