import {
  addUsage,
  type CallUsage,
  type JsonForm,
  ModelCallError,
  type ModelSettings,
  NO_USAGE,
  type Question,
  type StageModel,
  type WeighedWord,
} from '../../src/models/index.ts';
import { choiceProbabilities } from '../../src/models/language/read-answer.ts';

/** What a model answers: a value (JSON or text), or how the call fails. */
export type FakeAnswer = (question: Question, call: number) => unknown;

/** A stage's model that records the questions put to it, before they become messages, and answers by a function. */
export class AskedStageModel implements StageModel {
  readonly settings: ModelSettings = { model: 'fake', temperature: null, topP: null, seed: null };
  readonly questions: Question[] = [];
  readonly contextTokens: number;
  readonly #answer: FakeAnswer;
  #usage = NO_USAGE;

  /** @param answer gives a value, or a promise of one; a `ModelCallError` that it gives or throws fails the call */
  constructor(answer: FakeAnswer, contextTokens = 8_000) {
    this.#answer = answer;
    this.contextTokens = contextTokens;
  }

  usage(): CallUsage {
    return this.#usage;
  }

  async ask(question: Question): Promise<string> {
    return String(await this.#call(question));
  }

  async askFor<Form>(question: Question, form: JsonForm<Form>): Promise<Form> {
    const read = form.schema.safeParse(await this.#call(question));
    if (!read.success) throw new ModelCallError('malformed', 'The model answered in another form.');
    return read.data;
  }

  async weigh(question: Question, words: readonly string[]): Promise<WeighedWord> {
    const read = choiceProbabilities(String(await this.#call(question)), null, words);
    if (read === null) throw new ModelCallError('malformed', 'The model answered with none of the words.');
    return read;
  }

  async #call(question: Question): Promise<unknown> {
    this.questions.push(question);
    this.#usage = addUsage(this.#usage, { requests: 1, promptTokens: 10, completionTokens: 5, cost: 0 });
    const answer = await this.#answer(question, this.questions.length - 1);
    if (answer instanceof ModelCallError) throw answer;
    return answer;
  }
}
