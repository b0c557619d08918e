import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { parse } from 'yaml';
import { z } from 'zod';
import { TesseraError } from '../../text/index.ts';
import type { ChatMessage } from './language-model.ts';

const PROMPT_STAGES = [
  'extract',
  'extract-more',
  'select',
  'facets',
  'grade',
  'write',
  'write-again',
  'edit',
  'naive',
  'table',
  'judge',
  'judge-coverage',
  'judge-entailment',
  'judge-key-points',
  'judge-kind',
  'judge-reported',
  'judge-answered',
  'judge-relevance',
  'benchmark',
] as const;
export type PromptPurpose = (typeof PROMPT_STAGES)[number];

export interface Prompt {
  readonly id: string;
  readonly stage: PromptPurpose;
  readonly purpose: string;
  readonly variables: readonly string[];
  readonly system: string;
  readonly user: string;
  readonly hash: string;
}

export type Prompts = ReadonlyMap<string, Prompt>;

export class PromptFormatError extends TesseraError {
  readonly code = 'prompt-format';
}

const FILE = /^---\n([\s\S]*?)\n---\n# System\n([\s\S]*?)\n# User\n([\s\S]*)$/;
const VARIABLE = /\{\{(\w+)\}\}/g;

const frontMatterSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  stage: z.enum(PROMPT_STAGES),
  purpose: z.string().min(1),
  variables: z.array(z.string().regex(/^\w+$/)),
});

/** Parses a prompt file: front matter, then `# System` and `# User` with `{{variables}}`. @throws PromptFormatError */
export function parsePrompt(file: string): Prompt {
  const parts = FILE.exec(file);
  if (parts === null) throw new PromptFormatError('A prompt needs front matter, "# System" and "# User".');
  const [, front, system, user] = parts;
  const read = frontMatterSchema.safeParse(parseYaml(front));
  if (!read.success) throw new PromptFormatError(`The front matter of a prompt is wrong: ${read.error.message}`);
  const used = new Set([...`${system}\n${user}`.matchAll(VARIABLE)].map(([, name]) => name));
  const named = new Set(read.data.variables);
  const odd = [...used, ...named].filter((name) => !used.has(name) || !named.has(name));
  if (odd.length > 0) {
    throw new PromptFormatError(
      `The prompt "${read.data.id}" does not both name and use: ${[...new Set(odd)].join(', ')}.`,
    );
  }
  return { ...read.data, system: system.trim(), user: user.trim(), hash: bytesToHex(sha256(utf8ToBytes(file))) };
}

function parseYaml(text: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    throw new PromptFormatError('The front matter of a prompt is not YAML.', { cause });
  }
}

/** Fills in all values at once, so that values are not expanded again. @throws RangeError for a variable without a value */
export function renderPrompt({ id, system, user }: Prompt, values: Readonly<Record<string, string>>): ChatMessage[] {
  const fill = (template: string): string =>
    template.replace(VARIABLE, (_, name: string) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) throw new RangeError(`the prompt "${id}" was given no "${name}"`);
      return value;
    });
  return [
    { role: 'system', content: fill(system) },
    { role: 'user', content: fill(user) },
  ];
}

const BREAK = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/** Invisible to readers but not to models. Joiners and variation selectors depend on context and are handled below. */
const UNSEEN =
  /(?!\n|\t|\u200c|\u200d|[\u180b-\u180d\u180f]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
/** Selectors are legitimate after emoji, symbols, boxed digits, Han and Mongolian letters; elsewhere they can hide text. */
const LOOSE_SELECTOR =
  /(?<![\p{Emoji}\p{Symbol}\p{Script=Han}])[\ufe00-\ufe0f]|(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]|(?<!\p{Script=Mongolian})[\u180b-\u180d\u180f]/gu;
const JOINED = [
  ...['Arabic', 'Syriac', 'Nko', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil'],
  ...['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Myanmar', 'Khmer', 'Tibetan'],
]
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');
/** Joiners are legitimate after a letter of such a script and within emoji; elsewhere they can hide text. */
const LOOSE_JOINER = new RegExp(
  `(?<![${JOINED}]|[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f](?=\\u200d\\p{Extended_Pictographic}))[\\u200c\\u200d]`,
  'gu',
);

/** Removes characters that only a model would read; line breaks and tabs stay. */
export function withoutUnseen(text: string): string {
  return text.replace(BREAK, '\n').replace(UNSEEN, '').replace(LOOSE_SELECTOR, '').replace(LOOSE_JOINER, '');
}

/** Wraps foreign text in two lines with a key from its own hash, which it cannot contain. `kind` is one word; models refer to `number`. */
export function asData(kind: string, text: string, number?: number): string {
  const clean = withoutUnseen(text);
  const key = bytesToHex(sha256(utf8ToBytes(clean))).slice(0, 16);
  const name = number === undefined ? kind : `${kind} ${number}`;
  return `<<<BEGIN ${name} ${key}>>>\n${clean}\n<<<END ${name} ${key}>>>`;
}
