import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { parse } from 'yaml';
import { z } from 'zod';
import { TesseraError } from '../../text/index.ts';
import type { ChatMessage } from './language-model.ts';

/** What a prompt may be used for. */
const PROMPT_STAGES = [
  'extract',
  'extract-more',
  'select',
  'facets',
  'grade',
  'write',
  'write-again',
  'naive',
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

/** A prompt template of `prompts/`. */
export interface Prompt {
  readonly id: string;
  readonly stage: PromptPurpose;
  /** What it is for, in a sentence. */
  readonly purpose: string;
  /** Names of what is filled in, each at least once. */
  readonly variables: readonly string[];
  readonly system: string;
  readonly user: string;
  /** SHA-256 of the whole file, in hex. */
  readonly hash: string;
}

/** Prompts by id. */
export type Prompts = ReadonlyMap<string, Prompt>;

/** A prompt file is not as `parsePrompt` expects. */
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

/**
 * Reads a prompt file: front matter (id, stage, purpose, variables), then `# System` and `# User` with `{{variables}}`.
 *
 * @throws PromptFormatError where a part is missing, or the variables named and used are not the same
 */
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

/**
 * The messages of a prompt. Values are put in at once, so that a value that looks like a variable stays as it is.
 *
 * @throws RangeError for a variable without a value: a mistake in the code that asks
 */
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

/** What ends a line or a page. */
const BREAK = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/**
 * What a reader of a document does not see, but a model reads: control, tag, zero-width and direction characters, and half
 * characters. Joiners and variation selectors are looked at below, where they stand.
 */
const UNSEEN =
  /(?!\n|\t|\u200c|\u200d|[\u180b-\u180d\u180f]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}])[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
/** Selectors choose the form of emoji, symbols, digits in a box, Han and Mongolian letters; elsewhere they can carry text. */
const LOOSE_SELECTOR =
  /(?<![\p{Emoji}\p{Symbol}\p{Script=Han}])[\ufe00-\ufe0f]|(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]|(?<!\p{Script=Mongolian})[\u180b-\u180d\u180f]/gu;
/** Scripts whose words have joiners. */
const JOINED = [
  ...['Arabic', 'Syriac', 'Nko', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil'],
  ...['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Myanmar', 'Khmer', 'Tibetan'],
]
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');
/** Joiners do work after a letter of such a script, and within emoji; elsewhere they hide. */
const LOOSE_JOINER = new RegExp(
  `(?<![${JOINED}]|[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f](?=\\u200d\\p{Extended_Pictographic}))[\\u200c\\u200d]`,
  'gu',
);

/** A text without the characters that only a model would read; line breaks and tabs stay. */
export function withoutUnseen(text: string): string {
  return text.replace(BREAK, '\n').replace(UNSEEN, '').replace(LOOSE_SELECTOR, '').replace(LOOSE_JOINER, '');
}

/**
 * Wraps foreign text for a prompt: cleaned, between two lines that name what it is and carry a key made of the text's
 * own hash, which the text therefore cannot contain. The same text is always wrapped alike.
 *
 * @param kind what it is, one word: `document`, `intent`
 * @param number its number, where the model is to name it
 */
export function asData(kind: string, text: string, number?: number): string {
  const clean = withoutUnseen(text);
  const key = bytesToHex(sha256(utf8ToBytes(clean))).slice(0, 16);
  const name = number === undefined ? kind : `${kind} ${number}`;
  return `<<<BEGIN ${name} ${key}>>>\n${clean}\n<<<END ${name} ${key}>>>`;
}
