import { useEffect, useRef, useState } from 'preact/hooks';
import { useAnnounce } from '../parts/announcer.tsx';

interface CopyButtonProps {
  readonly name: string;
  /** What is copied, as a screen reader is told of it: "the link". */
  readonly what: string;
  readonly text: () => string;
}

/** How long the button says that it worked, in milliseconds. */
const SHOWN = 2500;

/** Copies a text; where the browser does not let it, the text is there to be copied by hand. */
export function CopyButton({ name, what, text }: CopyButtonProps) {
  const [state, setState] = useState<'ready' | 'copied' | { readonly refused: string }>('ready');
  const announce = useAnnounce();
  useEffect(() => {
    if (state !== 'copied') return;
    const end = setTimeout(() => setState('ready'), SHOWN);
    return () => clearTimeout(end);
  }, [state]);
  const copy = async () => {
    const copied = text();
    try {
      await navigator.clipboard.writeText(copied);
      setState('copied');
      announce(`Copied ${what}.`);
    } catch {
      setState({ refused: copied });
    }
  };
  return (
    <>
      <button type="button" onClick={copy}>
        {state === 'copied' ? '✓ Copied' : name}
      </button>
      {typeof state === 'object' && <ByHand what={what} text={state.refused} onClose={() => setState('ready')} />}
    </>
  );
}

interface ByHandProps {
  readonly what: string;
  readonly text: string;
  readonly onClose: () => void;
}

function ByHand({ what, text, onClose }: ByHandProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    area.current?.focus();
    area.current?.select();
  }, []);
  return (
    <div class="read-by-hand">
      <label>
        Your browser did not allow copying {what}. It is selected here: copy it with the keyboard or menu.
        <textarea ref={area} readOnly rows={6} value={text} />
      </label>
      <button type="button" onClick={onClose}>
        Done
      </button>
    </div>
  );
}
