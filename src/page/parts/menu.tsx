import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface MenuProps {
  readonly name: ComponentChildren;
  /** What it is called where its name is a sign. */
  readonly label?: string;
  /** The edge of the button that the menu keeps to. */
  readonly from?: 'start' | 'end';
  /** What it holds; `close` also leads the focus back to the button. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** What is seldom needed, behind a button. Escape and a press elsewhere close it. */
export function Menu({ name, label, from = 'end', children }: MenuProps) {
  const box = useRef<HTMLDetailsElement>(null);
  const close = (): void => {
    box.current?.removeAttribute('open');
    box.current?.querySelector('summary')?.focus();
  };
  useEffect(() => {
    const leave = ({ target }: PointerEvent): void => {
      if (target instanceof Node && !box.current?.contains(target)) box.current?.removeAttribute('open');
    };
    addEventListener('pointerdown', leave);
    return () => removeEventListener('pointerdown', leave);
  }, []);
  return (
    <details ref={box} class={`menu menu-${from}`} onKeyDown={({ key }) => key === 'Escape' && close()}>
      <summary class="button" aria-label={label}>
        {name}
      </summary>
      <div class="menu-panel">{children(close)}</div>
    </details>
  );
}
