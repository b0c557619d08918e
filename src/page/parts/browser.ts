import { useEffect, useState } from 'preact/hooks';

/** Has screen readers say a short text, through the live region at the end of the page. */
export function announce(text: string): void {
  // A new element each time, or the same text would be said once only.
  const said = document.createElement('span');
  said.textContent = text;
  document.getElementById('told')?.replaceChildren(said);
}

/** Whether a media query matches. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const follow = () => setMatches(list.matches);
    follow();
    list.addEventListener('change', follow);
    return () => list.removeEventListener('change', follow);
  }, [query]);
  return matches;
}

/** Saves a text as a file. */
export function download(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
