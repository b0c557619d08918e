import { type Digest, type DigestPartsQuery, partsOf } from '../../contract/index.ts';

/** A stored answer with the parts of it that a caller asks for; as it stands where all are asked for. */
export function digestView(answer: string, { include, exclude }: DigestPartsQuery): string {
  if (include === undefined && exclude === undefined) return answer;
  // Only this service writes answers.
  return JSON.stringify(partsOf(JSON.parse(answer) as Digest, { include, exclude }));
}
