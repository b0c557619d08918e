import { z } from 'zod';
import { asData, type JsonForm } from '../../models/index.ts';
import { contentHash } from '../../text/index.ts';
import type { EntailmentTask, EntailmentVerdict } from '../judge.ts';
import type { Unit, Verdict, VerdictAsker } from './ask-verdicts.ts';
import { evidenceIn, nearestFirst, type Piece, pieces } from './pieces.ts';

const VERDICTS = ['YES', 'NO'] as const;

/** Evidence before the verdict, so that what is looked for comes before what is said of it. */
export const ENTAILMENT = {
  name: 'entailment',
  schema: z.object({ evidence: z.string().nullish(), verdict: z.enum(VERDICTS) }),
  asked: z.object({ evidence: z.string(), verdict: z.enum(VERDICTS) }),
} satisfies JsonForm<unknown>;
type EntailmentAnswer = z.infer<typeof ENTAILMENT.schema>;

interface Entailed extends Verdict {
  /** Null where the text does not entail the claim. */
  readonly evidence: string | null;
}

const ANSWER_TOKENS = 600;
const NO: EntailmentVerdict = { holds: false, score: 0, evidence: null };

/**
 * Whether one of a task's texts entails its claim (Qi et al. 2024, section 4; the attestation of Mayfield et al. 2024): one
 * call a claim and text, the text that shares most words with the claim first, until one does. Long texts are read in
 * windows. A yes whose evidence is not in the text is a no: a judge that cannot show it may not say it.
 */
export async function modelEntailment(
  asker: VerdictAsker,
  tasks: readonly EntailmentTask[],
): Promise<EntailmentVerdict[]> {
  const room = asker.room('judge-entailment');
  const known = new Map<string, Piece[]>();
  const piecesOf = (text: string): Piece[] => {
    const found = known.get(text) ?? pieces(text, room);
    known.set(text, found);
    return found;
  };
  const units = tasks.map(({ claim, texts }) =>
    claim.trim() === '' ? [] : nearestFirst(claim, texts.flatMap(piecesOf)).map((piece) => unitOf(claim, piece)),
  );
  await asker.lookUp(units.flat());
  return asker.all(
    units.map((mapConcurrent) => async () => {
      for (const unit of mapConcurrent) {
        const { evidence } = await asker.ask(unit);
        if (evidence !== null) return { holds: true, score: 1, evidence };
      }
      return NO;
    }),
  );
}

function unitOf(claim: string, { text, hash }: Piece): Unit<EntailmentAnswer, Entailed> {
  return {
    purpose: 'judge-entailment',
    hashes: [contentHash(claim), hash],
    values: () => ({ claim: asData('claim', claim), text: asData('text', text) }),
    form: ENTAILMENT,
    maxTokens: ANSWER_TOKENS,
    read: ({ evidence: quote, verdict }) => {
      const evidence = verdict === 'YES' ? evidenceIn(text, quote ?? '') : null;
      return { evidence, unfounded: verdict === 'YES' && evidence === null };
    },
    none: { evidence: null },
  };
}
