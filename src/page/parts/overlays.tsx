import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Form } from './fields.tsx';
import { useTask } from './loading.tsx';
import { Problem } from './problem.tsx';

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

interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly isDangerous?: boolean;
  readonly act: () => Promise<unknown>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function Confirm({ title, text, yes, isDangerous = false, act, onDone, onClose }: ConfirmProps) {
  const { isRunning, failure, run } = useTask();
  return (
    <Dialog label={title} onClose={onClose}>
      <Form onSubmit={() => void run(() => act().then(onDone))}>
        <h2>{title}</h2>
        <p>{text}</p>
        {failure !== null && <Problem failure={failure} />}
        <div class="actions">
          <button type="submit" class={isDangerous ? 'danger' : 'primary'} disabled={isRunning}>
            {yes}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </Form>
    </Dialog>
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
