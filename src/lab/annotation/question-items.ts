import { beginning } from '../../text/index.ts';
import type { BenchmarkCase, BenchmarkQuestion, BenchmarkSet, Collection } from '../benchmark-set.ts';
import { type AnnotationItem, itemId, nuggetStatement } from './items-of.ts';

/**
 * What people can judge of the questions of a set and of its intents: every question with its answer, beside the document that it was
 * made from (Padmakumar et al. 2025, B.1), and every intent beside the beginnings of its documents and the questions that it asks for (B.2).
 */
export function questionItemsOf({ collections, cases }: BenchmarkSet): AnnotationItem[] {
  const byId = new Map(collections.map((each) => [each.id, each]));
  const items = [
    ...collections.flatMap((own) => (own.questions ?? []).flatMap((each) => questionItem(own.id, own, each))),
    ...cases.flatMap((each) => {
      const own = byId.get(each.collection);
      if (own === undefined) return [];
      // Cases repeat the questions of their collection, where it has any.
      const made = own.questions === undefined ? (each.questions ?? []) : [];
      return [...made.flatMap((question) => questionItem(each.id, own, question)), ...intentItem(each, own)];
    }),
  ];
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

function questionItem(
  of: string,
  { documents }: Collection,
  { question, answer, document: id }: BenchmarkQuestion,
): AnnotationItem[] {
  const document = documents.find((each) => each.id === id);
  if (document === undefined) return [];
  const statement = nuggetStatement(question, answer);
  return [
    {
      ...{ id: itemId(of, id, statement, []), case: of, query: null, document, spans: [], score: null },
      ...{ kind: 'question' as const, statement, fields: ['answerable', 'correct'] as const },
    },
  ];
}

/** Characters of the beginning of a document. */
const SHOWN = 300;

function intentItem({ id, intent, questions = [] }: BenchmarkCase, { documents }: Collection): AnnotationItem[] {
  if (intent === undefined) return [];
  const relevant = questions.filter((question) => question.relevant === true);
  const parts = [
    ...(relevant.length > 0
      ? [['Questions that it asks for:', ...relevant.map(({ question }) => `- ${question}`)].join('\n')]
      : []),
    ...documents.map(
      ({ id: name, title = name, text }) => `${title}:\n${beginning(text, SHOWN)}${text.length > SHOWN ? '…' : ''}`,
    ),
  ];
  const document = { id, title: 'Questions and documents', text: parts.join('\n\n') };
  return [
    {
      ...{ id: itemId(id, id, intent, []), case: id, query: null, document, spans: [], score: null },
      ...{ kind: 'intent' as const, statement: intent, fields: ['rating'] as const },
    },
  ];
}
