import { useCallback, useState } from 'preact/hooks';
import { NO_READER, type Reader } from './draft.ts';

/** Outlives the view, as the rest of the draft does in the workspace. */
let kept: Reader = NO_READER;

/** What was said of the reader beside the question. */
export function useReader(): [Reader, (reader: Reader) => void] {
  const [reader, setReader] = useState(kept);
  const change = useCallback((next: Reader) => {
    kept = next;
    setReader(next);
  }, []);
  return [reader, change];
}
