/** An event as it stands in a stream of server-sent events. */
export interface RawEvent {
  /** `message` where the stream names none. */
  readonly event: string;
  /** Null where the event has none of its own. */
  readonly id: string | null;
  readonly data: string;
}

const LINE_END = /\r\n|\r|\n/g;

/**
 * Parses server-sent events from pieces of text cut anywhere: give it a piece, and it answers the events that ended in it.
 * What is left at the end of a stream is no whole event and is dropped, as the standard says.
 */
export function eventParser(): (piece: string) => RawEvent[] {
  /** The line that has not ended yet. */
  let rest = '';
  let endedInReturn = false;
  let event = '';
  let id: string | null = null;
  let data: string[] = [];

  function take(line: string, found: RawEvent[]): void {
    if (line === '') {
      // Without data nothing is told.
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
    // The second half of a CRLF that was cut in two.
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
