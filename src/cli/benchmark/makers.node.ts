import { LIMITS } from '../../contract/index.ts';
import type { DigestDeps } from '../../digest/index.ts';
import {
  HAYSTACK_KINDS,
  haystackMaker,
  intentsMaker,
  keyPointsMaker,
  nuggetsMaker,
  questionsMaker,
} from '../../lab/index.ts';
import { isReranker, type RelevanceScorer } from '../../models/index.ts';
import { UsageError } from '../command.node.ts';
import { makerCommand } from './make-with-model.node.ts';
import { share } from './protocol-flags.node.ts';
import { readSet } from './set-file.node.ts';

/** Defaults of Laban et al. 2024, section 3.2, Padmakumar et al. 2025, sections 4.1.2, 4.1.3 and B.2, and Qi et al. 2024, section 3.3. */
export const MAKERS = {
  haystack: makerCommand({
    summary: 'Make a set of documents that a language model writes around insights.',
    usage: `--topic TEXT [--kind news|conversation] [--subtopics 10] [--insights 5-10] [--documents 100] [--words 750]
    [--least 5] [--edits 5] [--retries 10] [--seeds SET]`,
    examples: ['tessera benchmark haystack --topic "A city\'s congestion charge" --documents 20 --out haystack.json'],
    flags: [
      ...([
        'topic',
        'kind',
        'subtopics',
        'insights',
        'documents',
        'words',
        'least',
        'edits',
        'retries',
        'seeds',
      ] as const),
    ],
    takesSet: false,
    makerOf({ seed, text, number }) {
      const topic = text('topic')?.trim() ?? '';
      if (topic === '' || topic.length > 500) throw new UsageError('--topic is a text of 1 to 500 characters.');
      const kind = HAYSTACK_KINDS.find((each) => each === (text('kind') ?? 'news'));
      if (kind === undefined) throw new UsageError(`--kind is one of ${HAYSTACK_KINDS.join(', ')}.`);
      const [documents, least] = [number('documents', 100), number('least', 5)];
      if (documents > LIMITS.documents) throw new UsageError(`--documents is at most ${LIMITS.documents}.`);
      if (least > documents) throw new UsageError(`--least is at most the ${documents} of --documents, not ${least}.`);
      const [, fewest, most = fewest] = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(text('insights') ?? '5-10') ?? [];
      const insights = { least: Number(fewest), most: Number(most) };
      if (!(insights.least >= 1 && insights.most >= insights.least)) {
        throw new UsageError(`--insights is a range like 5-10, not "${text('insights')}".`);
      }
      const path = text('seeds');
      const seeds = path === undefined ? [] : readSet(path).collections.flatMap((each) => each.documents);
      const options = {
        ...{ topic, kind, documents, least, insights, seed, seeds },
        ...{ words: number('words', 750), subtopics: number('subtopics', 10) },
        ...{ edits: number('edits', 5, 0), retries: number('retries', 10, 0) },
      };
      return () => haystackMaker(options);
    },
  }),
  questions: makerCommand({
    summary: 'Add questions that the documents of a set answer.',
    usage: '[--questions 10] [--limit DOCUMENTS]',
    examples: ['tessera benchmark questions set.json --out questions.json'],
    flags: ['questions', 'limit'],
    makerOf({ text, number }) {
      const limit = text('limit') === undefined ? null : number('limit', 1);
      const options = { questions: number('questions', 10), limit };
      return (set) => questionsMaker(set, options);
    },
  }),
  intents: makerCommand({
    summary: 'Add questions of different readers to a set.',
    usage: '[--intents 5] [--threshold SCORE] [--least 20] [--scorer NAME|llm]',
    examples: ['tessera benchmark intents questions.json --intents 5 --out intents.json'],
    flags: ['intents', 'threshold', 'least', 'scorer'],
    makerOf({ text, number }) {
      const options = { intents: number('intents', 5), least: number('least', 20, 0) };
      const score = text('threshold');
      // Rerankers have scales of their own: any number may be a threshold.
      const threshold = score === undefined ? null : Number(score);
      if (score?.trim() === '' || !Number.isFinite(threshold ?? 0)) {
        throw new UsageError(`--threshold is a number, not "${score}".`);
      }
      return (set, deps) => {
        const scorer = scorerOf(text('scorer'), deps);
        if (threshold === null && scorer !== null && isReranker(scorer)) {
          throw new UsageError(
            `--scorer "${text('scorer')}" is a reranker, whose scores have a scale of their own: say --threshold.`,
          );
        }
        return intentsMaker(set, { ...options, threshold, scorer }, deps.cache);
      };
    },
  }),
  'key-points': makerCommand({
    summary: 'Add the key points that an answer should hold.',
    usage: '[--rounds 3] [--threshold 0.7]',
    examples: ['tessera benchmark key-points intents.json --out points.json'],
    flags: ['rounds', 'threshold'],
    makerOf({ text, number }) {
      const options = { rounds: number('rounds', 3), threshold: share('--threshold', text('threshold'), 0.7) };
      return (set) => keyPointsMaker(set, options);
    },
  }),
  nuggets: makerCommand({
    summary: 'Add nuggets: questions with answers bound to the documents that attest them.',
    usage: '[--per-document 10] [--nuggets 20]',
    examples: ['tessera benchmark nuggets intents.json --out nuggets.json'],
    flags: ['per-document', 'nuggets'],
    makerOf({ number }) {
      const options = { 'per-document': number('per-document', 10), nuggets: number('nuggets', 20) };
      return (set) => nuggetsMaker(set, options);
    },
  }),
};

function scorerOf(name: string | undefined, { engine }: Pick<DigestDeps, 'engine'>): RelevanceScorer | null {
  if (name === 'llm') return null;
  const wanted = name ?? engine.defaultEncoder;
  const scorer = engine.encoders.get(wanted) ?? engine.rerankers.get(wanted);
  if (scorer !== undefined) return scorer;
  const there = [...engine.encoders.keys(), ...engine.rerankers.keys(), 'llm'].map((each) => `"${each}"`).join(', ');
  throw new UsageError(`--scorer names no encoder or reranker of this service: "${wanted}"; there is ${there}.`);
}
