import { z } from 'zod';
import type { JsonForm } from '../../models/index.ts';
import { contentHash, groupBy, memoized, sortedBy } from '../../text/index.ts';
import { type AnswerVerdict, type Judge, NOT_ENTAILED, type SentenceKind, UNANSWERED } from '../judge.ts';
import type { CoverageLevel, Nugget, ReportRequestText } from '../shapes.ts';
import {
  evidenceIn,
  type Flags,
  nearestFirst,
  type Piece,
  packed,
  pieces,
  type Unit,
  type VerdictAsker,
} from './asker.ts';

const LEVELS = { NO: 0, PARTIAL: 50, FULL: 100 } as const satisfies Readonly<Record<string, CoverageLevel>>;
const KINDS = { CLAIM: 'claim', ABSENCE: 'absence', NEITHER: 'neither' } as const satisfies Readonly<
  Record<string, SentenceKind>
>;

const COVERAGE = z.object({ coverage: z.enum(['NO', 'PARTIAL', 'FULL']), bullet: z.int().nullable() });

export function coverageForm(bullets: number): JsonForm<z.infer<typeof COVERAGE>> {
  const schema = COVERAGE.refine(
    ({ coverage, bullet }) => coverage === 'NO' || (bullet !== null && bullet >= 1 && bullet <= bullets),
    { message: `what covers the insight has to be the number of a bullet, 1 to ${bullets}`, path: ['bullet'] },
  );
  return { name: 'coverage', schema, asked: COVERAGE };
}

const REPORTED = z.object({ reported: z.array(z.int()) });

export function reportedForm(nuggets: number): JsonForm<z.infer<typeof REPORTED>> {
  const schema = z.object({ reported: z.array(z.int().min(1).max(nuggets)) });
  return { name: 'reported', schema, asked: REPORTED };
}

/** Evidence comes before the verdict, so that the model looks before it judges. */
function quoting<Verdict extends z.ZodRawShape>(verdict: Verdict) {
  return {
    schema: z.object({ evidence: z.string().nullish(), ...verdict }),
    asked: z.object({ evidence: z.string(), ...verdict }),
  };
}

export const ENTAILMENT = { name: 'entailment', ...quoting({ verdict: z.enum(['YES', 'NO']) }) };
export const ANSWERED = { name: 'answered', ...quoting({ verdict: z.enum(['SAME', 'OTHER', 'NONE']) }) };
const POINT = quoting({ text: z.string() });
export const ANSWER_POINTS = {
  name: 'key-points',
  schema: z.object({ keyPoints: z.array(POINT.schema) }),
  asked: z.object({ keyPoints: z.array(POINT.asked) }),
};
export const KIND = { name: 'kind', schema: z.object({ kind: z.enum(['CLAIM', 'ABSENCE', 'NEITHER']) }) };
export const RELEVANCE = { name: 'relevance', schema: z.object({ relevant: z.enum(['YES', 'NO']) }) };

/** Maximum lengths of answers, in tokens. */
const TOKENS = { coverage: 200, evidence: 600, keyPoints: 3000, word: 100, eachNugget: 4 };
/** Points take about twice their own text, and the answer is read in parts. */
const MAX_PART_BYTES = 4000;

/** The questions of the metrics, asked of a language model by the protocols of the papers. */
export function protocols(asker: VerdictAsker) {
  return {
    /**
     * Laban et al. 2024, section 3 and appendix: one call per insight, with as many bullets as fit. If none covers it,
     * names the bullet that shares most words.
     */
    async coverage(insights, bullets) {
      const room = asker.room('judge-coverage');
      const places = new Map([...bullets.entries()].reverse().map(([place, text]) => [text, place]));
      const byPlace = [...places].sort(([, a], [, b]) => a - b);
      const read = byPlace.flatMap(([text, place]) => pieces(text, room).map((piece) => ({ ...piece, place })));
      const shown = sortedBy(read, ({ hash }) => hash);
      const parts = packed(shown, room);
      const units = insights.map((insight) => parts.map((part) => coverageUnit(insight, part)));
      const found = await asker.judge(units, ({ level }) => level === LEVELS.FULL);
      return found.map((verdicts, i) => {
        const top = Math.max(0, ...verdicts.map(({ level }) => level));
        const part = verdicts.findIndex(({ level }) => level === top);
        const { level, shown: at } = verdicts[part] ?? { level: LEVELS.NO, shown: null };
        if (at !== null) return { level, score: level / 100, bullet: parts[part][at].place };
        const nearest = nearestFirst(insights[i], shown)[0]?.place ?? (bullets.length === 0 ? null : 0);
        return { level: 0, score: 0, bullet: nearest };
      });
    },

    /**
     * Qi et al. 2024, section 4, and the attestation of Mayfield et al. 2024: one call per claim and text, most shared
     * words first, until one entails it. Long texts are read in windows. A yes without evidence in the text counts as no.
     */
    async entailment(tasks) {
      const room = asker.room('judge-entailment');
      const piecesOf = memoized((text: string) => pieces(text, room));
      const units = tasks.map(({ claim, texts }) =>
        claim.trim() === ''
          ? []
          : nearestFirst(claim, texts.flatMap(piecesOf)).map(({ text }) => entailmentUnit(claim, text)),
      );
      const found = await asker.judge(units, ({ evidence }) => evidence !== null);
      return found.map((verdicts) => {
        const evidence = verdicts.at(-1)?.evidence ?? null;
        return evidence === null ? NOT_ENTAILED : { holds: true, score: 1, evidence };
      });
    },

    /**
     * Qi et al. 2024, section 6.4, as from documents: one call, or one per part of a long answer. Drops points whose
     * words are missing from the answer.
     */
    async keyPoints(answer) {
      const parts = pieces(answer, Math.min(MAX_PART_BYTES, asker.room('judge-key-points')));
      const found = await asker.judge(parts.map(({ text }) => [keyPointsUnit(text)]));
      return [...new Set(found.flat().flatMap(({ points }) => points))];
    },

    /** Mayfield et al. 2024, section 4: one call per sentence; a blank one states nothing. */
    async kinds(sentences, request) {
      const asked = requestText(request);
      const found = await asker.judge(
        sentences.map((sentence) => (sentence.trim() === '' ? [] : [kindUnit(sentence, asked)])),
      );
      return found.map(([verdict]) => verdict?.kind ?? 'neither');
    },

    /** Mayfield et al. 2024, section 4: one call per sentence, with as many nuggets as fit. A blank sentence reports none. */
    async reported(sentences, nuggets) {
      const places = groupBy([...nuggets.keys()], (place) => nuggetText(nuggets[place]));
      const shown = sortedBy([...places.keys()], contentHash).map((text) => ({ text }));
      const parts = packed(shown, asker.room('judge-reported'));
      const found = await asker.judge(
        sentences.map((sentence) =>
          sentence.trim() === '' ? [] : parts.map((part) => reportedUnit(sentence, texts(part))),
        ),
      );
      return found.map((verdicts) =>
        verdicts
          .flatMap((verdict, p) => verdict.shown.flatMap((at) => places.get(parts[p][at].text) ?? []))
          .sort((a, b) => a - b),
      );
    },

    /**
     * Padmakumar et al. 2025, section 4; Huang et al. 2024: one call per question, whether the summary answers it and as
     * its document does. Long summaries are read in windows until one answers as expected. An answer without evidence in
     * the summary does not count.
     */
    async answered(summary, questions) {
      const parts = pieces(summary, asker.room('judge-answered'));
      const units = questions.map(({ question, answer }) =>
        nearestFirst(`${question} ${answer}`, parts).map(({ text }) => answeredUnit(question, answer, text)),
      );
      const found = await asker.judge(units, ({ matches }) => matches);
      return found.map((verdicts) => {
        const best = verdicts.find(({ matches }) => matches) ?? verdicts.find(({ answerable }) => answerable);
        const { answerable, matches, evidence } = best ?? UNANSWERED;
        return { answerable, matches, evidence };
      });
    },

    /** Padmakumar et al. 2025, section 5: one call per question. */
    async relevant(questions, intent) {
      const found = await asker.judge(questions.map((question) => [relevanceUnit(question, intent)]));
      return found.map(([{ relevant }]) => relevant);
    },
  } satisfies Partial<Judge>;
}

const texts = (part: readonly { readonly text: string }[]) => part.map(({ text }) => text);

function coverageUnit(insight: string, part: readonly Piece[]) {
  return unit({
    purpose: 'judge-coverage',
    data: { insight, bullets: texts(part) },
    form: coverageForm(part.length),
    maxTokens: TOKENS.coverage,
    read: ({ coverage, bullet }): { level: CoverageLevel; shown: number | null } => ({
      level: LEVELS[coverage],
      shown: coverage === 'NO' || bullet === null ? null : bullet - 1,
    }),
    none: { level: LEVELS.NO, shown: null },
  });
}

function entailmentUnit(claim: string, text: string) {
  return unit({
    purpose: 'judge-entailment',
    data: { claim, text },
    form: ENTAILMENT,
    maxTokens: TOKENS.evidence,
    read: ({ evidence: quote, verdict }): { evidence: string | null } & Flags => {
      const evidence = verdict === 'YES' ? evidenceIn(text, quote ?? '') : null;
      return { evidence, unfounded: verdict === 'YES' && evidence === null };
    },
    none: { evidence: null },
  });
}

function keyPointsUnit(answer: string) {
  return unit({
    purpose: 'judge-key-points',
    data: { answer },
    form: ANSWER_POINTS,
    maxTokens: TOKENS.keyPoints,
    read({ keyPoints }): { points: string[] } & Flags {
      const stated = keyPoints.filter(({ evidence }) => evidenceIn(answer, evidence ?? '') !== null);
      const points = stated.map((point) => point.text.trim()).filter((point) => point !== '');
      return { points, unfounded: stated.length < keyPoints.length };
    },
    none: { points: [] },
  });
}

function kindUnit(sentence: string, request: string) {
  return unit({
    purpose: 'judge-kind',
    data: { sentence, request },
    form: KIND,
    maxTokens: TOKENS.word,
    read: ({ kind }): { kind: SentenceKind } => ({ kind: KINDS[kind] }),
    none: { kind: KINDS.CLAIM },
  });
}

function reportedUnit(sentence: string, nuggets: readonly string[]) {
  return unit({
    purpose: 'judge-reported',
    data: { sentence, nuggets },
    form: reportedForm(nuggets.length),
    maxTokens: TOKENS.word + TOKENS.eachNugget * nuggets.length,
    read: ({ reported }) => ({ shown: [...new Set(reported)].sort((a, b) => a - b).map((number) => number - 1) }),
    none: { shown: [] },
  });
}

function answeredUnit(question: string, answer: string, summary: string) {
  return unit({
    purpose: 'judge-answered',
    data: { question, answer, summary },
    form: ANSWERED,
    maxTokens: TOKENS.evidence,
    read: ({ evidence: quote, verdict }): AnswerVerdict & Flags => {
      const evidence = verdict === 'NONE' ? null : evidenceIn(summary, quote ?? '');
      const answerable = evidence !== null;
      const matches = answerable && verdict === 'SAME';
      return { answerable, matches, evidence, unfounded: verdict !== 'NONE' && !answerable };
    },
    none: UNANSWERED,
  });
}

function relevanceUnit(question: string, intent: string) {
  return unit({
    purpose: 'judge-relevance',
    data: { question, intent },
    form: RELEVANCE,
    maxTokens: TOKENS.word,
    read: ({ relevant }) => ({ relevant: relevant === 'YES' }),
    none: { relevant: false },
  });
}

/** Infers the answer from the form, and the verdict from what is read. */
function unit<Answer, Verdict>(given: Unit<Answer, Verdict>): Unit<Answer, Verdict> {
  return given;
}

function nuggetText({ question, answers = [] }: Nugget): string {
  const texts = new Set(answers.map(({ text }) => text));
  const given = sortedBy([...texts], contentHash).map((text) => `Answer: ${text}`);
  return [`Question: ${question}`, ...(given.length > 0 ? given : ['Answer: (nothing is known of it)'])].join('\n');
}

function requestText({ problem, userStory, background }: ReportRequestText): string {
  const given = [
    ['Asked for', problem],
    ['The reader', userStory],
    ['Known to the reader', background],
  ].flatMap(([name, text]) => (text === undefined || text.trim() === '' ? [] : `${name}: ${text}`));
  return given.length > 0 ? given.join('\n') : 'Nothing is known of the request.';
}
