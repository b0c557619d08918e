import { useLayoutEffect } from 'preact/hooks';
import type { Item } from './protocol.ts';
import { meaningOf } from './questions.ts';
import type { AnnotationSession } from './session.ts';

/** Answers and moves by keys, wherever the focus is, unless something is typed there. */
export function useKeys(session: AnnotationSession, item: Item | undefined, isOn: boolean): void {
  // Before the next key can be pressed.
  useLayoutEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event.target)) return;
      const meaning = meaningOf(event.key, item?.fields ?? []);
      if (meaning === null) return;
      event.preventDefault();
      if (meaning.does === 'undo') void session.undo();
      else if (meaning.does === 'go') void session.go(meaning.steps);
      else void session.decide(meaning.field, meaning.value);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [session, item, isOn]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'checkbox');
}
