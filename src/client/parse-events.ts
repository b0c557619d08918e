export interface RawEvent {
  /** Default: `message`. */
  readonly event: string;
  /** Null if the event has none. */
  readonly id: string | null;
  readonly data: string;
}

const LINE_END = /\r\n|\r|\n/g;

/**
 * Parses server-sent events from text cut anywhere: returns the events that end in each piece. An incomplete event at the end of
 * a stream is dropped, as the standard says.
 */
export function eventParser(): (piece: string) => RawEvent[] {
  /** The unfinished line. */
  let rest = '';
  let endedInReturn = false;
  let event = '';
  let id: string | null = null;
  let data: string[] = [];

  function take(line: string, found: RawEvent[]): void {
    if (line === '') {
      if (data.length > 0) found.push({ event: event || 'message', id, data: data.join('\n') });
      event = '';
      id = null;
      data = [];
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return; // a comment
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') data.push(value);
    else if (name === 'event') event = value;
    else if (name === 'id' && !value.includes('\0')) id = value;
  }

  return (piece) => {
    const found: RawEvent[] = [];
    if (piece === '') return found;
    // The second half of a split CRLF.
    const text = endedInReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    endedInReturn = piece.endsWith('\r');
    let start = 0;
    for (const { 0: end, index } of text.matchAll(LINE_END)) {
      take(rest + text.slice(start, index), found);
      rest = '';
      start = index + end.length;
    }
    rest += text.slice(start);
    return found;
  };
}
