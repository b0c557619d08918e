import { useEffect, useRef, useState } from 'preact/hooks';

interface Dropped {
  onFiles(files: readonly File[]): void;
  /** Text that was pasted where no field has the focus. */
  onText(text: string): void;
}

/**
 * Takes files that are dropped or pasted anywhere on the page, which would otherwise leave it for the file, and text that is pasted
 * outside of fields.
 *
 * @returns whether files are held over the page
 */
export function useDropped(dropped: Dropped): boolean {
  const [isOver, setIsOver] = useState(false);
  const latest = useRef(dropped);
  latest.current = dropped;
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setIsOver(true);
    };
    const leave = (event: DragEvent): void => {
      // It leaves every element that it is moved over; with none to go to it leaves the page.
      if (event.relatedTarget === null) setIsOver(false);
    };
    const drop = (event: DragEvent): void => {
      setIsOver(false);
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      latest.current.onFiles([...event.dataTransfer.files]);
    };
    const paste = (event: ClipboardEvent): void => {
      const { files } = event.clipboardData ?? {};
      if (files !== undefined && files.length > 0) {
        event.preventDefault();
        latest.current.onFiles([...files]);
        return;
      }
      const isInField =
        event.target instanceof Element && event.target.closest('input, textarea, select, dialog') !== null;
      const text = isInField ? '' : (event.clipboardData?.getData('text/plain') ?? '');
      if (text.trim() === '') return;
      // Where the focus goes next, the browser would paste it once more.
      event.preventDefault();
      latest.current.onText(text);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    addEventListener('paste', paste);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
      removeEventListener('paste', paste);
    };
  }, []);
  return isOver;
}
