import type { ComponentChildren } from 'preact';
import { Fragment } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import { layoutOf, type Sentence } from '../../client/index.ts';
import type { StoredDigest } from './stored-digest.ts';

interface LaidOutProps {
  readonly summary: StoredDigest['digest']['summary'];
  readonly show: (sentence: Sentence) => ComponentChildren;
}

/** The paragraphs and lists of a summary, with each sentence as it is to be shown. */
export function LaidOut({ summary, show }: LaidOutProps) {
  const id = useId();
  const parts = useMemo(() => layoutOf(summary), [summary]);
  const shown = (sentences: readonly Sentence[]) =>
    sentences.map((sentence, place) => <Fragment key={`${place} ${sentence.text}`}>{show(sentence)}</Fragment>);
  return (
    <>
      {parts.map((part, index) => {
        const key = `${part.kind} ${index}`;
        if (part.kind === 'paragraph') {
          return (
            <div key={key} class="read-paragraph" dir="auto">
              {shown(part.sentences)}
            </div>
          );
        }
        const label = part.label === null ? undefined : `${id}-${index}`;
        return (
          <Fragment key={key}>
            {label !== undefined && (
              <div id={label} class="read-paragraph read-label" dir="auto">
                {part.label}:
              </div>
            )}
            <ul aria-labelledby={label}>
              {part.items.map((sentences, place) => (
                <li key={`${place} ${sentences[0]?.text}`} class="read-paragraph" dir="auto">
                  {shown(sentences)}
                </li>
              ))}
            </ul>
          </Fragment>
        );
      })}
    </>
  );
}
