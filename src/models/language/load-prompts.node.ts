import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../text/index.node.ts';
import { TesseraError } from '../../text/index.ts';
import { type Prompt, PromptFormatError, type Prompts, parsePrompt } from './prompt.ts';

const FOLDER = packageFile('prompts');

/**
 * The prompts of `prompts/`, by id.
 * @param own folder of prompts that replace those of their ids
 * @throws PromptFormatError naming the file
 */
export function loadPrompts(own?: string): Prompts {
  const given = new Map(promptsIn(FOLDER).map(({ prompt }) => [prompt.id, prompt]));
  if (own === undefined) return given;
  const replaced = promptsIn(own).map(({ path, prompt }): readonly [string, Prompt] => {
    const { id, stage, variables } = prompt;
    const replaces = given.get(id);
    const odd = variables.filter((name) => replaces?.variables.includes(name) === false);
    if (replaces === undefined) throw new PromptFormatError(`${path}: there is no prompt "${id}" to replace.`);
    if (stage !== replaces.stage) throw new PromptFormatError(`${path}: the stage of "${id}" is "${replaces.stage}".`);
    if (odd.length > 0) throw new PromptFormatError(`${path}: "${id}" is given no ${odd.join(', ')}.`);
    return [id, prompt];
  });
  return new Map([...given, ...replaced]);
}

function promptsIn(folder: string): { readonly path: string; readonly prompt: Prompt }[] {
  let files: string[];
  try {
    files = readdirSync(folder).filter((name) => name.endsWith('.md'));
  } catch (cause) {
    throw new PromptFormatError(`The folder of prompts ${folder} cannot be read.`, { cause });
  }
  return files.map((name) => {
    const path = join(folder, name);
    try {
      return { path, prompt: parsePrompt(readFileSync(path, 'utf8')) };
    } catch (cause) {
      throw cause instanceof TesseraError ? new PromptFormatError(`${path}: ${cause.message}`, { cause }) : cause;
    }
  });
}
