import { LIMITS } from '../../contract/index.ts';
import type { DigestDeps } from '../../digest/index.ts';
import {
  type BenchmarkSet,
  HAYSTACK_KINDS,
  haystackMaker,
  intentsMaker,
  keyPointsMaker,
  nuggetsMaker,
  pooledOutputs,
  questionsMaker,
} from '../../lab/index.ts';
import { isReranker, type RelevanceScorer } from '../../models/index.ts';
import { one, UsageError } from '../command.node.ts';
import { readTextFiles } from '../read-files.node.ts';
import { benchmarkCommand } from './command.node.ts';
import { makeFrom, makeSet } from './make-with-model.node.ts';
import { PROTOCOL_FLAGS, protocolOptions, share, wholeNumber } from './protocol-flags.node.ts';
import { readSet } from './set-file.node.ts';

const text = (value: string, about: string) => ({ type: 'string', value, about }) as const;
const SET = { usage: 'SET', takes: one('the file of a benchmark set') } as const;

/** Defaults of Laban et al. 2024, section 3.2, Padmakumar et al. 2025, sections 4.1.2, 4.1.3 and B.2, and Qi et al. 2024, section 3.3. */
export const MAKERS = {
  haystack: benchmarkCommand({
    summary: 'Make a set of documents that a language model writes around insights.',
    usage: '--topic TEXT',
    flags: {
      topic: text('TEXT', 'what the documents are about'),
      kind: text('KIND', 'news (default) or conversation'),
      subtopics: text('N', 'number of subtopics; default 10'),
      insights: text('RANGE', 'insights of each subtopic; default 5-10'),
      documents: text('N', 'number of documents; default 100'),
      words: text('N', 'length of each; default 750'),
      least: text('N', 'documents that tell each insight, at least; default 5'),
      edits: text('N', 'times that a document is edited, at most; default 5'),
      retries: text('N', 'times that a chapter is written anew, at most; default 10'),
      seeds: text('SET', 'set whose documents show what to plan'),
      ...PROTOCOL_FLAGS,
    },
    examples: ['tessera benchmark haystack --topic "A city\'s congestion charge" --documents 20 --out haystack.json'],
    async run(values, _, service, streams, signal) {
      const topic = values.topic?.trim() ?? '';
      if (topic === '' || topic.length > 500) throw new UsageError('--topic is a text of 1 to 500 characters.');
      const kind = HAYSTACK_KINDS.find((each) => each === (values.kind ?? 'news'));
      if (kind === undefined) throw new UsageError(`--kind is one of ${HAYSTACK_KINDS.join(', ')}.`);
      const documents = wholeNumber('--documents', values.documents, 100);
      const least = wholeNumber('--least', values.least, 5);
      if (documents > LIMITS.documents) throw new UsageError(`--documents is at most ${LIMITS.documents}.`);
      if (least > documents) throw new UsageError(`--least is at most the ${documents} of --documents, not ${least}.`);
      const [, fewest, most = fewest] = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(values.insights ?? '5-10') ?? [];
      const insights = { least: Number(fewest), most: Number(most) };
      if (!(insights.least >= 1 && insights.most >= insights.least)) {
        throw new UsageError(`--insights is a range like 5-10, not "${values.insights}".`);
      }
      const seeds =
        values.seeds === undefined ? [] : readSet(values.seeds).collections.flatMap((each) => each.documents);
      const maker = haystackMaker({
        ...{ topic, kind, documents, least, insights, seeds, seed: wholeNumber('--seed', values.seed, 1, 0) },
        words: wholeNumber('--words', values.words, 750),
        subtopics: wholeNumber('--subtopics', values.subtopics, 10),
        edits: wholeNumber('--edits', values.edits, 5, 0),
        retries: wholeNumber('--retries', values.retries, 10, 0),
      });
      return makeSet(maker, protocolOptions(values), await service(), streams, signal);
    },
  }),
  questions: benchmarkCommand({
    ...SET,
    summary: 'Add questions that the documents of a set answer.',
    flags: {
      questions: text('N', 'questions on each document; default 10'),
      ...PROTOCOL_FLAGS,
    },
    examples: ['tessera benchmark questions set.json --out questions.json'],
    async run(values, [path], ...context) {
      const options = { questions: wholeNumber('--questions', values.questions, 10) };
      return makeFrom(values, path, (set) => questionsMaker(set, options), ...context);
    },
  }),
  intents: benchmarkCommand({
    ...SET,
    summary: 'Add questions of different readers to a set.',
    flags: {
      intents: text('N', 'intents of each collection; default 5'),
      threshold: text('SCORE', 'score of relevant questions; by default that of the scorer'),
      least: text('N', 'relevant questions of an intent, at least; default 20'),
      scorer: text('NAME', 'encoder or reranker, or llm; default TESSERA_ENCODER'),
      ...PROTOCOL_FLAGS,
    },
    examples: ['tessera benchmark intents questions.json --intents 5 --out intents.json'],
    async run(values, [path], ...context) {
      const intents = wholeNumber('--intents', values.intents, 5);
      const least = wholeNumber('--least', values.least, 20, 0);
      // Rerankers have scales of their own: any number may be a threshold.
      const threshold = values.threshold === undefined ? null : Number(values.threshold);
      if (values.threshold?.trim() === '' || !Number.isFinite(threshold ?? 0)) {
        throw new UsageError(`--threshold is a number, not "${values.threshold}".`);
      }
      const makerOf = (set: BenchmarkSet, deps: DigestDeps) => {
        const scorer = scorerOf(values.scorer, deps);
        if (threshold === null && scorer !== null && isReranker(scorer)) {
          const scale = 'is a reranker, whose scores have a scale of their own: say --threshold';
          throw new UsageError(`--scorer "${values.scorer}" ${scale}.`);
        }
        return intentsMaker(set, { intents, least, threshold, scorer }, deps.cache);
      };
      return makeFrom(values, path, makerOf, ...context);
    },
  }),
  'key-points': benchmarkCommand({
    ...SET,
    summary: 'Add the key points that an answer should hold.',
    flags: {
      rounds: text('N', 'rounds of extraction; default 3'),
      threshold: text('SHARE', 'probability of those that are kept, at least; default 0.7'),
      ...PROTOCOL_FLAGS,
    },
    examples: ['tessera benchmark key-points intents.json --out points.json'],
    async run(values, [path], ...context) {
      const rounds = wholeNumber('--rounds', values.rounds, 3);
      const options = { rounds, threshold: share('--threshold', values.threshold, 0.7) };
      return makeFrom(values, path, (set) => keyPointsMaker(set, options), ...context);
    },
  }),
  nuggets: benchmarkCommand({
    ...SET,
    summary: 'Add nuggets: questions with answers bound to the documents that attest them.',
    flags: {
      'per-document': text('N', 'nuggets found in each document, at most; default 10'),
      nuggets: text('N', 'nuggets of each case, at most; default 20'),
      outputs: text(
        'FILE',
        'outputs of systems (benchmark run --outputs) in which nuggets are found, then checked against the documents',
      ),
      ...PROTOCOL_FLAGS,
    },
    examples: ['tessera benchmark nuggets intents.json --out nuggets.json'],
    async run(values, [path], ...context) {
      const perDocument = wholeNumber('--per-document', values['per-document'], 10);
      const options = { 'per-document': perDocument, nuggets: wholeNumber('--nuggets', values.nuggets, 20) };
      const outputs = values.outputs === undefined ? null : readTextFiles([values.outputs])[0];
      const makerOf = (set: BenchmarkSet) =>
        nuggetsMaker(set, options, outputs === null ? null : pooledOutputs(outputs, set.name));
      return makeFrom(values, path, makerOf, ...context);
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
