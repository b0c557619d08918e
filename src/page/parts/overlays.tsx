import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly class?: string;
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog, open while it is rendered. Escape and a click beside it close it. */
export function Dialog({ label, onClose, children, ...box }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Closing gives the focus back to what had it before.
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
  /** Accessible name, if the name is a sign. */
  readonly label?: string;
  /** Edge of the button that the menu is aligned with. */
  readonly from?: 'start' | 'end';
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button with a popover. Escape and a click elsewhere close it; `close` also gives the focus back to the button. */
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
