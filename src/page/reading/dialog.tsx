import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import './dialog.css';

interface DialogProps {
  readonly class: string;
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** What lies over the page and keeps the focus until it is closed, by Escape too, or by a press beside it. */
export function Dialog({ label, onClose, children, ...box }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: by keyboard it is closed by Escape
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
