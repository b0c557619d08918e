import { withoutUnseen } from '../../language-models/as-data.ts';

/** What a model wrote, as a line: without what nobody sees, white space single. */
export function cleaned(text: string): string {
  return withoutUnseen(text).replace(/\s+/gu, ' ').trim();
}
