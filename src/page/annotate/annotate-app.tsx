import { useEffect, useRef, useState } from 'preact/hooks';
import { MAX_NAME_LENGTH, type Session } from '../../contract/index.ts';
import { Loading } from '../parts/loading.tsx';
import { Problem } from '../parts/problem.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Annotating } from './annotating.tsx';
import type { LabelService } from './ask-service.ts';

interface AppProps {
  readonly service: LabelService;
}

/** The whole page: what is annotated, who annotates, and then the items. */
export function AnnotateApp({ service }: AppProps) {
  const [loaded, again] = useLoaded('session', () => service.session());
  if (loaded.state === 'there') return <Annotated service={service} session={loaded.value} />;
  return (
    <main>
      <h1>Annotate</h1>
      {loaded.state === 'loading' ? <Loading what="the items" /> : <Problem failure={loaded.failure} again={again} />}
    </main>
  );
}

/** The name is kept until the tab is closed. */
const STORED = 'tessera-annotator';

function Annotated({ service, session }: AppProps & { readonly session: Session }) {
  const [name, setName] = useState(() => session.annotator ?? sessionStorage.getItem(STORED) ?? '');
  const give = (given: string) => {
    sessionStorage.setItem(STORED, given);
    setName(given);
  };
  if (name === '') return <NameForm set={session.set} give={give} />;
  return (
    <Known
      key={name}
      service={service}
      session={session}
      name={name}
      leave={session.annotator === null ? () => give('') : null}
    />
  );
}

interface KnownProps extends AppProps {
  readonly session: Session;
  readonly name: string;
  readonly leave: (() => void) | null;
}

function Known({ service, session, name, leave }: KnownProps) {
  const [loaded, again] = useLoaded(name, () => service.labelsOf(name));
  if (loaded.state === 'there') {
    return <Annotating service={service} session={session} name={name} known={loaded.value} leave={leave} />;
  }
  return (
    <main>
      <h1>{session.set}</h1>
      {loaded.state === 'loading' ? (
        <Loading what="what you decided before" />
      ) : (
        <Problem failure={loaded.failure} again={again} />
      )}
    </main>
  );
}

interface NameProps {
  readonly set: string;
  readonly give: (name: string) => void;
}

/** Asks who annotates. */
function NameForm({ set, give }: NameProps) {
  const [name, setName] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const trimmed = name.trim();
  return (
    <main class="ann-name">
      <h1>{set}</h1>
      <form
        class="panel"
        onSubmit={(event) => {
          event.preventDefault();
          if (trimmed !== '') give(trimmed);
        }}
      >
        <label>
          Your name
          <input
            ref={field}
            required
            maxLength={MAX_NAME_LENGTH}
            autocomplete="name"
            aria-describedby="ann-name-note"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <p id="ann-name-note" class="muted">
          It stands beside every decision. Give the same name again to go on where you stopped.
        </p>
        <button type="submit" class="primary">
          Start
        </button>
      </form>
    </main>
  );
}
