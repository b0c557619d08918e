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
const SENDER_ALONE =
  /^[^:]{2,8}:\s+(?:["“]?\p{Lu}[\p{L}.'’-]*(?:\s+\p{Lu}[\p{L}.'’-]*){0,4}["”]?(?:\s+<[^<>\s]+@[^<>\s]+>)?|\S+@\S+)$/u;
const SIGNATURE = /^(?:--|—)$/;
/** Lines of a signature; what follows is text again. */
const MAX_SIGNATURE = 10;
const LONGEST = 300;

type Writable = { -readonly [Field in keyof Message]: Message[Field] } & { readonly lines: MarkedLine[] };

interface Opening {
  /** Whether what follows is quoted in the message before. */
  readonly isQuote: boolean;
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
  const found: Writable[] = [{ lines: [] }];
  /** The message that quoted lines stand in, once there is one. */
  let outer: Writable | undefined;
  for (let n = 0; n < marked.length; ) {
    const opening = headers(marked, lineAt, n) ?? attribution(lineAt, n);
    const current = found[found.length - 1];
    if (opening !== null) {
      const { length, isQuote, ...message } = opening;
      outer = isQuote ? (outer ?? current) : { lines: [], ...message };
      found.push({ lines: [], ...message });
      n += length;
    } else if (outer !== undefined && SIGNATURE.test(lineAt(n))) n = afterSignature(marked, lineAt, n);
    else if (FORWARDED.test(lineAt(n))) n++;
    else {
      const line = marked[n++];
      const isQuoted = text.startsWith('>', line.start);
      const last = current.lines.at(-1);
      const wasQuoted = last !== undefined && text.startsWith('>', last.start);
      if (outer !== undefined && last !== undefined && isQuoted !== wasQuoted) {
        // Whose words a quote repeats is not known without a line that tells.
        const message = isQuoted ? { subject: outer.subject } : { sender: outer.sender, subject: outer.subject };
        found.push({ lines: [{ ...line, afterGap: true }], ...message });
      } else current.lines.push(last === undefined ? { ...line, afterGap: true } : line);
    }
  }
  return outer === undefined ? null : found.filter(({ lines }) => lines.length > 0);
}

/** Lines of headers in a row, of which one tells who sent it; a single one at the top of a document names a person or an address. */
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
  const isHeader = count > 1 || (count === 1 && from === 0 && SENDER_ALONE.test(lineAt(from)));
  return isHeader && sender !== undefined ? { length: n - from, sender, subject, isQuote: false } : null;
}

function attribution(lineAt: (n: number) => string, n: number): Opening | null {
  for (const length of [1, 2]) {
    if (!lineAt(n + length - 1).endsWith(':')) continue;
    const line = Array.from({ length }, (_, k) => lineAt(n + k)).join(' ');
    if (!ATTRIBUTION.test(line)) continue;
    const [before, after = ''] = line.split(WROTE);
    const named = /^\s*:?\s*$/u.test(after) ? before : after.replace(/\s*:$/u, '');
    return {
      length,
      isQuote: true,
      sender: nameOf(named.replace(/<[^<>]*>/gu, '').replace(/^.*[\d,](?:\s*[ap]\.?m\.?)?,?\s/iu, '')),
    };
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
