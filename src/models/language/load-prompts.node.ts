import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../text/index.node.ts';

import { type Prompts, parsePrompt } from './prompt.ts';

const FOLDER = packageFile('prompts');

/** The prompts of `prompts/`, by id. @throws PromptFormatError */
export function loadPrompts(): Prompts {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.md'));
  const prompts = files.map((name) => parsePrompt(readFileSync(join(FOLDER, name), 'utf8')));
  return new Map(prompts.map((prompt) => [prompt.id, prompt]));
}
