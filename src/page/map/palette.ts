/** Colours of the map in the scheme that is shown, as a canvas takes them. */
export interface Palette {
  readonly selected: string;
  readonly unselected: string;
  readonly text: string;
  readonly muted: string;
  readonly back: string;
  readonly link: string;
}

const NAMES = ['selected', 'unselected', 'text', 'muted', 'back', 'link'] as const;

/** Reads what the custom properties of the page come to at an element: they hold a colour for either scheme. */
export function readPalette(within: Element): Palette {
  const probe = document.createElement('span');
  probe.hidden = true;
  within.append(probe);
  const read = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const [selected, unselected, text, muted, back, link] = NAMES.map(read);
  probe.remove();
  return { selected, unselected, text, muted, back, link };
}
