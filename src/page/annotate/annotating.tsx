import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { Answer, Decided, Field, Item, Session } from '../../contract/index.ts';
import { announce } from '../parts/browser.ts';
import { Await, useLoaded } from '../parts/loading.tsx';
import { SourceText } from '../reading/source-text.tsx';
import { type AnnotationSession, annotationSession, type LabelService, meaningOf, QUESTIONS } from './session.ts';

interface AnnotatingProps {
  readonly service: LabelService;
  readonly session: Session;
  readonly name: string;
  readonly known: readonly Decided[];
  /** Lets another annotator in; null if the command names one. */
  readonly leave: (() => void) | null;
}

export function Annotating({ service, session: given, name, known, leave }: AnnotatingProps) {
  const { set, items } = given;
  const session = useSession(service, given, name, known);
  const [hasKeys, setKeys] = useState(true);
  const { place, done, canUndo, failure, told } = session.progress();
  const item: Item | undefined = items[place];
  useKeys(session, item, hasKeys);
  useEffect(() => {
    if (told.text !== '') announce(told.text);
  }, [told]);
  const main = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the button that was pressed may be gone with its item
  useEffect(() => {
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [place]);
  const next = items[place + 1];
  useEffect(() => {
    // A failure is shown when the item is.
    if (next !== undefined) service.document(next.document).catch(() => {});
  }, [service, next]);
  return (
    <>
      <header class="top ann-top">
        <h1>{set}</h1>
        <div class="ann-progress">
          <progress max={items.length} value={done} aria-label="Items that are done" />
          <span>
            {done} of {items.length} done
          </span>
        </div>
        <p class="muted ann-who">
          {name}
          {leave !== null && (
            <button type="button" class="plain" onClick={leave}>
              Someone else
            </button>
          )}
        </p>
      </header>
      <main class="ann-main" ref={main} tabIndex={-1}>
        {failure !== null && (
          <div class="problem" role="alert">
            <p>
              <strong>This was not kept.</strong> {failure}
            </p>
          </div>
        )}
        {item === undefined ? (
          <End session={session} left={items.length - done} />
        ) : (
          <div class="ann-item">
            <ItemFacts item={item} place={place} count={items.length} />
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
        <div class="ann-foot">
          <div class="actions">
            <Move
              does={() => session.go(-1)}
              name="Back"
              shown="←"
              keys="ArrowLeft k"
              isOff={place === 0}
              hasKeys={hasKeys}
            />
            <Move
              does={() => session.go(1)}
              name="Next"
              shown="→"
              keys="ArrowRight j"
              isOff={place === items.length}
              hasKeys={hasKeys}
            />
            <Move does={() => session.undo()} name="Undo" shown="z" keys="z" isOff={!canUndo} hasKeys={hasKeys} />
          </div>
          <label class="ann-keys">
            <input type="checkbox" checked={hasKeys} onInput={({ currentTarget }) => setKeys(currentTarget.checked)} />
            Single keys answer and move
          </label>
        </div>
      </main>
    </>
  );
}

function ItemFacts({ item: { query, kind, statement }, place, count }: { item: Item; place: number; count: number }) {
  return (
    <div class="ann-facts">
      <p class="muted ann-place">
        Item {place + 1} of {count}
      </p>
      {query !== null && (
        <section aria-labelledby="ann-query">
          <h2 id="ann-query" class="ann-label">
            Query
          </h2>
          <p dir="auto">{query}</p>
        </section>
      )}
      <section aria-labelledby="ann-point" class="ann-point">
        <h2 id="ann-point" class="ann-label">
          {kind.charAt(0).toUpperCase() + kind.slice(1)}
        </h2>
        <p dir="auto">{statement}</p>
      </section>
    </div>
  );
}

function End({ session, left }: { readonly session: AnnotationSession; readonly left: number }) {
  if (left === 0) {
    return (
      <div class="empty">
        <h2>All items are done.</h2>
        <p>Every decision is in the file of labels. Go back to change one, or close this page.</p>
      </div>
    );
  }
  return (
    <div class="empty">
      <h2>This is the end; {left === 1 ? '1 item lacks' : `${left} items lack`} an answer.</h2>
      <p>
        <button type="button" class="primary" onClick={() => void session.goToOpen()}>
          Go to the first of them
        </button>
      </p>
    </div>
  );
}

interface MoveProps {
  readonly does: () => Promise<void>;
  readonly name: string;
  readonly shown: string;
  readonly keys: string;
  readonly isOff: boolean;
  readonly hasKeys: boolean;
}

/** A button that keeps its place and the focus if there is nowhere to go. */
function Move({ does, name, shown, keys, isOff, hasKeys }: MoveProps) {
  return (
    <button
      type="button"
      aria-disabled={isOff}
      aria-keyshortcuts={hasKeys ? keys : undefined}
      onClick={() => void does()}
    >
      {name}
      {hasKeys && (
        <span class="ann-key" aria-hidden="true">
          {shown}
        </span>
      )}
    </button>
  );
}

function useSession(
  service: LabelService,
  { items }: Session,
  annotator: string,
  known: readonly Decided[],
): AnnotationSession {
  const [, draw] = useReducer<number, void>((count) => count + 1, 0);
  return useMemo(
    () => annotationSession(items, known, (label) => service.save({ ...label, annotator }), draw),
    [service, items, annotator, known],
  );
}

/** Answers and moves by single keys, unless the focus is in a text field. */
function useKeys(session: AnnotationSession, item: Item | undefined, isOn: boolean): void {
  // Before the next key can be pressed.
  useLayoutEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event.target)) return;
      const meaning = meaningOf(event.key, item?.fields ?? []);
      if (meaning === null) return;
      event.preventDefault();
      if (meaning.does === 'undo') void session.undo();
      else if (meaning.does === 'go') void session.go(meaning.steps);
      else void session.decide(meaning.field, meaning.value);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [session, item, isOn]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'checkbox');
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
    <fieldset class="ann-question">
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
            {name}
            {hasKeys && (
              <span class="ann-key" aria-hidden="true">
                {keys[0]}
              </span>
            )}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

interface SourceProps {
  readonly service: LabelService;
  readonly item: Item;
}

function SourceBox({ service, item }: SourceProps) {
  const loading = useLoaded(String(item.document), () => service.document(item.document));
  const [state] = loading;
  const text = state.state === 'there' ? state.value.text : '';
  const quotes = useMemo(
    () => item.spans.map(({ start, end }) => ({ start, end, text: text.slice(start, end) })),
    [item, text],
  );
  return (
    <section class="ann-source" aria-labelledby="ann-source">
      <h2 id="ann-source">
        <span class="ann-label">Source</span>
        {state.state === 'there' && state.value.title}
      </h2>
      <Await of={loading} what="the source">
        {() => (
          <SourceText
            key={item.id}
            text={text}
            picked={quotes[0] ?? null}
            others={quotes.slice(1)}
            label="The source, with highlighted words"
          />
        )}
      </Await>
    </section>
  );
}
