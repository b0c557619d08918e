import { useEffect, useState } from 'preact/hooks';

/** As in `read.css`. */
const WIDE = '(min-width: 62rem)';

/** Whether there is room for a text and its source side by side. */
export function useIsWide(): boolean {
  const [isWide, setWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const list = matchMedia(WIDE);
    const follow = () => setWide(list.matches);
    follow();
    list.addEventListener('change', follow);
    return () => list.removeEventListener('change', follow);
  }, []);
  return isWide;
}
