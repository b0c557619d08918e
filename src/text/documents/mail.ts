import type { Span } from './document.ts';
import type { MarkedLine } from './marked-lines.ts';

/** One message of a thread, without its headers and signature; lines before the first message have no sender. */
export interface Message {
  readonly lines: readonly MarkedLine[];
  readonly sender?: string | undefined;
  readonly subject?: Span | undefined;
}

const HEADER =
  /^(?:\*\*|__)?(from|von|de|to|an|cc|bcc|date|datum|sent|gesendet|subject|betreff|objet|asunto|re|reply-to|message-id|in-reply-to|references|importance|priority|attachments?|mime-version|content-[a-z-]{4,20}|return-path|received|delivered-to|list-[a-z-]{2,20}|x-[a-z-]{2,40})(?::(?:\*\*|__)?|(?:\*\*|__):)(?:\s+|$)/iu;
const SENDER = /^(?:from|von|de)$/iu;
const SUBJECT = /^(?:subject|betreff|objet|asunto|re)$/iu;
const REPLY_MARK = /^(?:(?:re|aw|fwd?|wg|tr|sv|vs)\s?:\s*)+/iu;
const FORWARDED =
  /^[-_\s]{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|message d'origine|mensaje original)\s*[-_\s]{2,}$|^begin forwarded message:$/iu;
/** "On Tue, 3 Mar 2026 at 17:02, Ana Ruiz <ana@…> wrote:" */
const ATTRIBUTION =
  /^(?:on|am|le|el|il|den)\s.{4,200}\s(?:wrote|a écrit|escribió|ha scritto|skrev)\s?:$|^am\s.{4,200}\sschrieb\b.{0,100}:$/iu;
const WROTE = /\s(?:wrote|schrieb|a écrit|escribió|ha scritto|skrev)(?=\s|:)/iu;
const SIGNATURE = /^(?:--|—)$/;
/** Lines of a signature; what follows is text again. */
const MAX_SIGNATURE = 10;
const LONGEST = 300;

interface Opening {
  /** Number of lines that the opening takes. */
  readonly length: number;
  readonly sender?: string | undefined;
  readonly subject?: Span | undefined;
}

/** The messages of a mail or a thread of mails; null if the text is neither. */
export function messagesOf(text: string, marked: readonly MarkedLine[]): Message[] | null {
  const lineAt = (n: number): string => {
    const line = marked[n];
    return line === undefined || line.end - line.content > LONGEST ? '' : text.slice(line.content, line.end);
  };
  const found: { lines: MarkedLine[]; sender?: string | undefined; subject?: Span | undefined }[] = [{ lines: [] }];
  for (let n = 0; n < marked.length; ) {
    const opening = headers(marked, lineAt, n) ?? attribution(lineAt, n);
    if (opening !== null) {
      const { length, sender, subject } = opening;
      found.push({ lines: [], sender, subject });
      n += length;
    } else if (found.length > 1 && SIGNATURE.test(lineAt(n))) n = afterSignature(marked, lineAt, n);
    else if (FORWARDED.test(lineAt(n))) n++;
    else {
      const { lines } = found[found.length - 1];
      lines.push(lines.length === 0 ? { ...marked[n], afterGap: true } : marked[n]);
      n++;
    }
  }
  return found.length === 1 ? null : found.filter(({ lines }) => lines.length > 0);
}

/** Two or more lines of headers in a row, of which one tells who sent it. */
function headers(marked: readonly MarkedLine[], lineAt: (n: number) => string, from: number): Opening | null {
  if (!marked[from].afterGap && from > 0 && !FORWARDED.test(lineAt(from - 1))) return null;
  let n = from;
  let sender: string | undefined;
  let subject: Span | undefined;
  let count = 0;
  for (; n < marked.length && (n === from || !marked[n].afterGap); n++) {
    const [whole, name] = HEADER.exec(lineAt(n)) ?? [];
    // A long header goes on in indented lines.
    if (whole === undefined || name === undefined) {
      if (count > 0 && marked[n].indent > marked[from].indent) continue;
      break;
    }
    count++;
    const value = lineAt(n).slice(whole.length);
    if (SENDER.test(name)) sender = nameOf(value);
    else if (SUBJECT.test(name)) {
      const start = marked[n].content + whole.length + (REPLY_MARK.exec(value)?.[0].length ?? 0);
      if (start < marked[n].end) subject = { start, end: marked[n].end };
    }
  }
  return count > 1 && sender !== undefined ? { length: n - from, sender, subject } : null;
}

function attribution(lineAt: (n: number) => string, n: number): Opening | null {
  for (const length of [1, 2]) {
    const line = Array.from({ length }, (_, k) => lineAt(n + k)).join(' ');
    if (!ATTRIBUTION.test(line)) continue;
    const [before, after = ''] = line.split(WROTE);
    const named = /^\s*:?\s*$/u.test(after) ? before : after.replace(/\s*:$/u, '');
    return { length, sender: nameOf(named.replace(/<[^<>]*>/gu, '').replace(/^.*[\d,](?:\s*[ap]\.?m\.?)?,?\s/iu, '')) };
  }
  return null;
}

/** "Ana Ruiz" of "Ana Ruiz <ana@example.org>", "ana" of "ana@example.org". */
function nameOf(value: string): string | undefined {
  const name = value
    .replace(/<[^<>]*>|\((?:[^()]*@[^()]*)\)|\[mailto:[^\]]*\]/giu, '')
    .replace(/@\S*/gu, '')
    .replace(/^["'“\s]+|["'”\s,;]+$/gu, '');
  return name === '' || name.length > 80 ? undefined : name;
}

function afterSignature(marked: readonly MarkedLine[], lineAt: (n: number) => string, from: number): number {
  let n = from + 1;
  while (n < marked.length && n <= from + MAX_SIGNATURE) {
    if (headers(marked, lineAt, n) !== null || attribution(lineAt, n) !== null || FORWARDED.test(lineAt(n))) break;
    n++;
  }
  return n;
}
