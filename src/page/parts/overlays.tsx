import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly class?: string;
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog, open while it is rendered. Escape and a click outside close it. */
export function Dialog({ label, onClose, children, ...box }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Closing restores the focus.
    return () => shown?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by keyboard
    <dialog
      ref={dialog}
      class={box.class}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      {children}
    </dialog>
  );
}

interface MenuProps {
  readonly name: string;
  /** Accessible name, if `name` is a symbol. */
  readonly label?: string;
  /** The button's edge that the menu aligns with. */
  readonly from?: 'start' | 'end';
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button with a popover. Escape and a click elsewhere close it; `close` also restores the focus to the button. */
export function Menu({ name, label, from = 'end', children }: MenuProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  return (
    <>
      <button type="button" popovertarget={id} aria-label={label}>
        {name}
      </button>
      <div ref={panel} id={id} popover="auto" class={`menu-panel menu-${from}`}>
        {children(() => panel.current?.hidePopover())}
      </div>
    </>
  );
}
