import { groupBy } from '../lists.ts';
import type { Span } from './document.ts';
import type { MarkedLine } from './marked-lines.ts';

interface SpeakerLabel {
  readonly name: string;
  readonly length: number;
  readonly role?: 'question' | 'answer' | undefined;
  /** Offsets of what follows the name ("[Customer, 3 June]"). */
  readonly note?: Span | undefined;
  readonly style: 'colon' | 'bracket';
}

const TIME = String.raw`\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?(?:\s?[aApP]\.?[mM]\.?)?`;
const DATE = String.raw`\d{1,4}[-./]\d{1,2}[-./]\d{1,4}`;
const STAMP = String.raw`[\[(]?(?:${DATE}[,T]?\s*)?${TIME}[\])]?`;
const LABEL = new RegExp(
  String.raw`^(?:${STAMP}\s*[-–—]?\s*)?(?:\*\*|__)?([\p{Lu}\p{Lo}\p{N}][^:：]{0,99}?)(?:\*\*|__)?\s*(?:[\[(]?${TIME}[\])]?\s*)?(?:：|:(?=[\s*_]|$))(?:\*\*|__)?\s*`,
  'u',
);
/** "[09:02] mara: …", "2026-03-02 09:02 <mara> …", "<mara> …", "mara [09:02]: …": of a chat, where names may be in lower case. */
const CHAT = new RegExp(
  String.raw`^(?:(?:${STAMP}\s*[-–—]?\s*)(?:<[@+]?([\p{L}\p{N}_.-]{2,30})>|@?([\p{L}\p{N}_.-]{2,30}):(?=\s))|<[@+]?([\p{L}\p{N}_.-]{2,30})>(?=\s)|@?([\p{L}\p{N}_.-]{2,30})\s[\[(]${TIME}[\])]:(?=\s))\s*`,
  'u',
);
const PARTICLE = /^(?:of|the|and|for|de|da|do|del|della|di|la|le|van|von|der|den|ter|bin|ibn|al|hon|y|e|&|\/|-)\.?$/iu;
const NAME_WORD = /^["“(]?(?:[dDlLoO]['’]|al-|el-)?[\p{Lu}\p{Lo}\p{N}]/u;
const TITLE_STOP = /(?:\b(?:Mr|Mrs|Ms|Mx|Dr|Prof|Hon|Sen|Rep|Gov|Gen|Rev|St|Jr|Sr|Capt|Sgt|Lt|Col|\p{Lu})\.)/gu;
/** Labels of remarks and fields. */
const NOT_A_SPEAKER =
  /^(?:notes?|n\.?b|warning|caution|important|tips?|example|summary|source|sources|date|time|place|location|from|to|cc|bcc|subject|re|fwd|tags?|keywords?|abstract|update|edit|title|author|by|photo|image|figure|table|chapter|section|step|ps|https?|see also|related|read more|address|phone|email|tel|fax)$/iu;

const BRACKET = /^\[(\p{Lu}[^\][,;\d]{0,60}?)(?:(?:[,;]\s*|\s+(?=\d))([^\][]{1,40}))?\]:?\s+(?=\S)/u;
const ASKS = /^(?:Q|Question|Frage|Pregunta|Pergunta|Domanda)(?:\s?\d{1,3}|\s\p{L}[\p{L} ]{0,40})?$/u;
const ANSWERS = /^(?:A|Answer|Antwort|R|Respuesta|Réponse|Resposta|Risposta)(?:\s?\d{1,3})?$/u;

/** The speaker label of a line: "NAME: …", "[00:12] Grad G: …", "**Ana:** …", "[Ana, 3 June] …". */
function speakerLabel(text: string, start: number, end: number): SpeakerLabel | undefined {
  const head = text.slice(start, Math.min(end, start + 140));
  const bracket = head.startsWith('[') ? BRACKET.exec(head) : null;
  if (bracket?.[1]) {
    const [whole, name, note] = bracket;
    const at = note === undefined ? -1 : whole.lastIndexOf(note);
    const span = note && { note: { start: at, end: at + note.length } };
    return { name: name.trim(), length: whole.length, style: 'bracket', ...span };
  }
  if (!/[:：>]/.test(head)) return undefined;
  const [said, ...nicks] = CHAT.exec(head) ?? [];
  const nick = nicks.find((each) => each !== undefined);
  if (said !== undefined && nick !== undefined) {
    return { name: nick, length: Math.min(said.length, end - start), style: 'colon' };
  }
  const match = LABEL.exec(head);
  const name = match?.[1]?.trim();
  if (!match || !name) return undefined;
  const role = ASKS.test(name) ? 'question' : ANSWERS.test(name) ? 'answer' : undefined;
  if (!role && !looksLikeName(name)) return undefined;
  return { name, length: Math.min(match[0].length, end - start), style: 'colon', role };
}

function looksLikeName(name: string): boolean {
  if (NOT_A_SPEAKER.test(name)) return false;
  const open = name.indexOf('(');
  const [outer, note = ''] = open > 0 && name.endsWith(')') ? [name.slice(0, open), name.slice(open + 1, -1)] : [name];
  const bare = outer.replace(TITLE_STOP, ' ').trim();
  if (/[.!?;"“”{}<>|=。！？，、]|,\s.*,/u.test(bare)) return false;
  const words = bare.split(/[\s_]+/u).filter(Boolean);
  const inner = note.split(',', 1)[0].trim();
  if (/\p{Ll}/u.test(inner) && words.length <= NOTE_WORDS && looksLikeName(inner)) return true;
  if (words.length > 6 || /^\p{N}+$/u.test(bare)) return false;
  if (/\p{Lo}/u.test(bare) && bare.length > 20) return false;
  return words.every((word) => NAME_WORD.test(word) || PARTICLE.test(word));
}

const NOTE_WORDS = 3;

/** Whether labels make a transcript: they repeat and are frequent, or label most of a few complete sentences. */
function isTranscript(names: readonly string[], lineCount: number, finished: number): boolean {
  if (names.length < 2) return false;
  const distinct = new Set(names).size;
  if (distinct < names.length) return names.length / lineCount >= 0.2;
  return names.length <= 4 && names.length / lineCount >= 0.5 && finished === names.length;
}

const STOP = /[\p{Sentence_Terminal}…]["'”’»)\]*_]*$/u;

interface Turn {
  readonly lines: readonly MarkedLine[];
  readonly speaker?: string | undefined;
  readonly role?: 'question' | 'answer' | undefined;
  readonly note?: Span | undefined;
}

/** Splits lines into turns; all lines are one turn without labels. */
export function turns(text: string, marked: readonly MarkedLine[]): Turn[] {
  const labels = openings(text, marked);
  if (labels.every((label) => label === undefined)) return [{ lines: marked }];
  const gapped = answersHaveGaps(marked, labels);
  const lastLabel = labels.findLastIndex((label) => label !== undefined);
  const found: { lines: MarkedLine[]; speaker?: string; role?: Turn['role']; note?: Span }[] = [{ lines: [] }];
  for (const [n, line] of marked.entries()) {
    const label = labels[n];
    const last = found.at(-1);
    if (label) {
      const content = line.content + label.length;
      const { note } = label;
      found.push({
        lines: content < line.end ? [{ ...line, content, start: content, afterGap: true }] : [],
        ...(label.role ? { role: label.role } : { speaker: label.name }),
        ...(note && { note: { start: line.content + note.start, end: line.content + note.end } }),
      });
      continue;
    }
    const isAfterAnswer = line.kind === 'heading' || (line.afterGap && !gapped && n > lastLabel);
    if (last?.role && isAfterAnswer) found.push({ lines: [line] });
    else last?.lines.push(line);
  }
  return found;
}

function openings(text: string, marked: readonly MarkedLine[]): (SpeakerLabel | undefined)[] {
  const labels = marked.map(({ kind, content, end }) =>
    kind === 'plain' || kind === 'item' ? speakerLabel(text, content, end) : undefined,
  );
  if (labels.every((label) => label === undefined)) return labels;
  const spoken = labels.map((label, n) => (label?.role || marked[n]?.kind === 'item' ? undefined : label));
  const roles = labels.flatMap((label) => label?.role ?? []);
  const isPaired = roles.some((role, n) => role === 'question' && roles[n + 1] === 'answer');
  const finished = (own: readonly (SpeakerLabel | undefined)[]) =>
    marked.filter(({ end }, n) => own[n] && STOP.test(text.slice(Math.max(0, end - 4), end))).length;
  const kept = (['colon', 'bracket'] as const).map((style) => {
    const own = spoken.map((label) => (label?.style === style ? label : undefined));
    const names = own.flatMap((label) => label?.name ?? []);
    const enough =
      style === 'bracket'
        ? names.length >= 2 && names.length >= 0.2 * marked.length
        : isTranscript(names, marked.length, finished(own));
    return enough ? withoutHeader(marked, own) : [];
  });
  return labels.map((label, n) => kept[0]?.[n] ?? kept[1]?.[n] ?? (label?.role && isPaired ? label : undefined));
}

/** "Customer: a bakery" above a transcript names no speaker: in the first paragraphs only repeated names count. */
function withoutHeader(marked: readonly MarkedLine[], labels: readonly (SpeakerLabel | undefined)[]) {
  const names = groupBy(labels, (label) => label?.name);
  const first = labels.findIndex((label) => label && (names.get(label.name)?.length ?? 0) > 1);
  const gap = marked.findLastIndex((line, n) => n > 0 && n <= first && line.afterGap);
  return first < 0 || gap < 1 ? labels : labels.map((label, n) => (n < gap ? undefined : label));
}

function answersHaveGaps(marked: readonly MarkedLine[], labels: readonly (SpeakerLabel | undefined)[]): boolean {
  const last = labels.findLastIndex((label) => label !== undefined);
  let isAnswer = false;
  for (let n = 0; n < last; n++) {
    const label = labels[n];
    if (label) isAnswer = label.role === 'answer';
    else if (isAnswer && marked[n]?.afterGap) return true;
  }
  return false;
}

/** "Key: value" or "**Key**: value". */
const FIELD = /^[*_]{0,3}["“]?[\p{L}\p{N}(][^:：!?\n]{0,60}?(?:：|[*_]{0,3}:[*_]{0,3}(?=\s))[*_]{0,3}\s*(?=\S)/u;
const MAX_WORDS = 6;

export function fieldLabel(text: string, { start, end }: Span): Span | undefined {
  const opening = text.slice(start, Math.min(end, start + 90));
  if (!opening.includes(':') && !opening.includes('：')) return undefined;
  const match = FIELD.exec(opening)?.[0];
  if (match === undefined || match.length >= end - start) return undefined;
  const label = match.replace(/[*_]*[:：][*_]*\s*$/u, '');
  if (/\p{Ll}\.\s/u.test(label) || label.split(/\s+/u).length > MAX_WORDS || label.length > 50) return undefined;
  return { start, end: start + label.length };
}

/** "**3. Harbour: north quay.** The surveyor …" */
const BOLD = /^(\*\*|__)\s*(?:\d{1,3}[.)]\s*)?([^*_\n]{2,80}?)(?:[.:]\s*\1|\s*\1[.:])\s+(?=\S)/u;

interface Labelled extends Span {
  readonly kind: string;
  readonly role?: string | undefined;
}

export function boldHead(text: string, { start, end, kind, role }: Labelled): { span: Span; end: number } | undefined {
  if (kind !== 'prose' || role || !/[*_]/.test(text.charAt(start))) return undefined;
  const match = BOLD.exec(text.slice(start, Math.min(end, start + 120)));
  if (match === null) return undefined;
  const [whole, , label] = match;
  const from = start + whole.indexOf(label);
  return { span: { start: from, end: from + label.length }, end: start + whole.length };
}

const HEAD = /^[\p{Lu}\p{Lo}][^.,;:!?\d]{1,30}\.$/u;
const MAX_HEAD_WORDS = 3;

/** Whether a block opens with a label: "Safety. Two people fell." */
export function runInHead(text: string, { kind, role }: Labelled, spans: readonly Span[]): boolean {
  const [first] = spans;
  if (!first || spans.length < 2 || (kind !== 'prose' && kind !== 'item') || role || first.end - first.start > 40)
    return false;
  const sentence = text.slice(first.start, first.end);
  return HEAD.test(sentence) && sentence.split(/\s+/u).length <= MAX_HEAD_WORDS;
}

const SHARE = 0.3;

export function hasRunInHeads(text: string, blocks: readonly Labelled[], split: readonly (readonly Span[])[]): boolean {
  return (['prose', 'item'] as const).some((kind) => {
    const own = blocks.flatMap((block, n) => (block.kind === kind && !block.role ? [split[n] ?? []] : []));
    const several = own.filter((spans) => spans.length > 1);
    const headed = blocks.filter((block, n) => block.kind === kind && runInHead(text, block, split[n] ?? []));
    return headed.length >= 2 && headed.length >= SHARE * several.length;
  });
}
