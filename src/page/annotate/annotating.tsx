import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { AnnotatedSource, Answer, Decided, Field, Item, Session } from '../../contract/index.ts';
import { announce } from '../parts/browser.ts';
import { Await, useLoaded } from '../parts/loading.tsx';
import { count } from '../parts/words.ts';
import { SourceText } from '../reading/source-text.tsx';
import { type AnnotationSession, annotationSession, meaningOf, QUESTIONS } from './session.ts';

export interface LabelService {
  session(): Promise<Session>;
  document(place: number): Promise<AnnotatedSource>;
  save(decided: Decided): Promise<unknown>;
}

interface AnnotatingProps {
  readonly service: LabelService;
  readonly session: Session;
}

export function Annotating({ service, session: { set, items, annotator, decided } }: AnnotatingProps) {
  const [, draw] = useReducer<number, void>((drawn) => drawn + 1, 0);
  const session = useMemo(() => annotationSession(items, decided, service.save, draw), [service, items, decided]);
  const [hasKeys, setKeys] = useState(true);
  const [place, done, failure] = [session.place(), session.done(), session.failure()];
  const item: Item | undefined = items[place];
  useKeys(session, item, hasKeys);
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    announce(item === undefined ? 'The end of the items' : `Item ${place + 1} of ${items.length}: ${item.statement}`);
    // The button that was pressed may be gone with its item.
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [items, item, place]);
  const keysOf = (keys: readonly string[]) => ({
    'aria-keyshortcuts': hasKeys ? keys.join(' ') : undefined,
  });
  return (
    <>
      <header class="top">
        <h1>{set}</h1>
        <progress max={items.length} value={done} aria-label="Items that are done" />
        <span>
          {done} of {items.length} done
        </span>
        <span class="muted">{annotator}</span>
      </header>
      <main class="ann-main" ref={main} tabIndex={-1}>
        {failure !== null && (
          <p class="problem" role="alert">
            <strong>This was not kept.</strong> {failure}
          </p>
        )}
        {item === undefined ? (
          <End session={session} left={items.length - done} />
        ) : (
          <div class="ann-item">
            <div class="ann-facts">
              <p class="muted">
                Item {place + 1} of {items.length}
              </p>
              {item.query !== null && <Fact name="Query" text={item.query} />}
              <Fact name={item.kind.charAt(0).toUpperCase() + item.kind.slice(1)} text={item.statement} />
            </div>
            <SourceBox service={service} item={item} />
            <div class="ann-asked">
              {item.fields.map((field) => (
                <QuestionBox
                  key={field}
                  field={field}
                  answer={session.answerTo(item, field)}
                  decide={(value) => void session.decide(field, value)}
                  hasKeys={hasKeys}
                />
              ))}
            </div>
          </div>
        )}
        <div class="actions">
          <button type="button" {...keysOf(['ArrowLeft', 'k'])} onClick={() => void session.go(-1)}>
            ← Back
          </button>
          <button type="button" {...keysOf(['ArrowRight', 'j'])} onClick={() => void session.go(1)}>
            Next →
          </button>
          <label class="check">
            <input type="checkbox" checked={hasKeys} onChange={({ currentTarget }) => setKeys(currentTarget.checked)} />
            Single keys answer and move
          </label>
        </div>
      </main>
    </>
  );
}

function Fact({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <section class="panel" aria-label={name}>
      <h2>{name}</h2>
      <p dir="auto">{text}</p>
    </section>
  );
}

function End({ session, left }: { readonly session: AnnotationSession; readonly left: number }) {
  return (
    <div class="empty">
      <h2>{left === 0 ? 'All items are done.' : `This is the end; ${count(left, 'item')} left without an answer.`}</h2>
      {left === 0 ? (
        <p>Every decision is in the file of labels. Go back to change one, or close this page.</p>
      ) : (
        <button type="button" class="primary" onClick={() => void session.goToOpen()}>
          Go to the first of them
        </button>
      )}
    </div>
  );
}

/** Answers and moves by single keys. */
function useKeys(session: AnnotationSession, item: Item | undefined, isOn: boolean): void {
  // Before the next key can be pressed.
  useLayoutEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      const meaning = meaningOf(event.key, item?.fields ?? []);
      if (meaning === null) return;
      event.preventDefault();
      if ('steps' in meaning) void session.go(meaning.steps);
      else void session.decide(meaning.field, meaning.value);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [session, item, isOn]);
}

interface QuestionProps {
  readonly field: Field;
  readonly answer: Answer | null;
  readonly decide: (value: Answer) => void;
  readonly hasKeys: boolean;
}

function QuestionBox({ field, answer, decide, hasKeys }: QuestionProps) {
  const { text, choices } = QUESTIONS[field];
  return (
    <fieldset>
      <legend>{text}</legend>
      <div class="ann-choices">
        {choices.map(({ value, name, keys }) => (
          <button
            key={value}
            type="button"
            aria-pressed={answer === value}
            aria-keyshortcuts={hasKeys ? keys.join(' ') : undefined}
            onClick={() => decide(value)}
          >
            {name} {hasKeys && <kbd>{keys[0]}</kbd>}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

function SourceBox({ service, item }: { readonly service: LabelService; readonly item: Item }) {
  const loading = useLoaded(String(item.document), () => service.document(item.document));
  return (
    <section class="ann-source" aria-label="Source">
      <Await of={loading} what="the source">
        {({ title, text }) => {
          const [picked = null, ...others] = item.spans.map((span) => ({
            ...span,
            text: text.slice(span.start, span.end),
          }));
          return (
            <>
              <h2>{title}</h2>
              <SourceText
                key={item.id}
                text={text}
                picked={picked}
                others={others}
                label="The source, with highlighted words"
              />
            </>
          );
        }}
      </Await>
    </section>
  );
}
