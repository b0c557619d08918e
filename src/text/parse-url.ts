/** The URL of a text; null where it is none. `URL.canParse` of Node 20 turns names such as "bücher.de" away once it is compiled. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
