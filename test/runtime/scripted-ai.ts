/** Of the default model of Workers AI. */
const DIMENSIONS = 768;
/** Components of a word that are not 0: a vector stays short as JSON, and two words seldom share one. */
const PER_WORD = 8;
/** What a word weighs beside one of the function words, which say little of what a sentence is about. */
const WEIGHT = 5;
const WORD = /[\p{L}\p{N}]+/gu;
const IDEOGRAPHS = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u;
const FUNCTION_WORDS = new Set(
  'a an and are as at be but by do does for from had has have how in is it its not of on or that the their there they this to was we were what when which who why will with'.split(
    ' ',
  ),
);

/**
 * Workers AI without a model: texts are as similar as the words they share, each a sparse vector of its own. It can be told to
 * fail, and to wait, and keeps what it was asked.
 */
export class ScriptedAi {
  /** Every text that it was asked to encode, in order. */
  readonly texts: string[] = [];
  calls = 0;
  readonly #failures: string[] = [];
  #failing: { readonly part: string; readonly message: string } | null = null;
  #held: Promise<void> | null = null;
  #release = (): void => {};

  /** `run` of the AI binding. */
  async run(_model: string, inputs: { readonly text: readonly string[]; readonly pooling?: string }): Promise<object> {
    this.calls++;
    this.texts.push(...inputs.text);
    await this.#held;
    const failing = this.#failing;
    const message =
      this.#failures.shift() ?? (failing && inputs.text.some((text) => text.includes(failing.part)) && failing.message);
    if (typeof message === 'string') throw Object.assign(new Error(message), { name: 'InferenceUpstreamError' });
    const data = inputs.text.map(vectorOf);
    return { shape: [data.length, DIMENSIONS], data, ...(inputs.pooling !== undefined && { pooling: inputs.pooling }) };
  }

  /** The next call fails, as the binding does: a code and a message. */
  failOnce(message: string): void {
    this.#failures.push(message);
  }

  /** Calls with such a text fail, until `mend`. */
  failFor(part: string, message: string): void {
    this.#failing = { part, message };
  }

  mend(): void {
    this.#failing = null;
  }

  /** Calls wait, until `release`. */
  hold(): void {
    this.#held ??= new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  release(): void {
    this.#release();
    this.#held = null;
  }
}

function vectorOf(text: string): number[] {
  const vector = new Float64Array(DIMENSIONS);
  for (const word of wordsOf(text)) {
    let state = hash(word) | 1;
    const weight = FUNCTION_WORDS.has(word) ? 1 : WEIGHT;
    for (let k = 0; k < PER_WORD; k++) {
      // xorshift32
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      vector[(state >>> 1) % DIMENSIONS] += state & 1 ? weight : -weight;
    }
  }
  // No text is without a direction, as with a real model.
  if (vector.every((v) => v === 0)) vector[hash(text) % DIMENSIONS] = 1;
  return [...vector];
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(WORD) ?? [];
  return words.flatMap((word) => (IDEOGRAPHS.test(word) ? pairsOf([...word]) : [word]));
}

/** Neighbouring characters, in the place of words where these are not told apart by blanks. */
function pairsOf(characters: readonly string[]): string[] {
  return characters.map((character, i) => character + (characters[i + 1] ?? ''));
}

/** FNV-1a, not negative. */
function hash(word: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) value = Math.imul(value ^ word.charCodeAt(i), 0x01000193);
  return value & 0x7fffffff;
}
