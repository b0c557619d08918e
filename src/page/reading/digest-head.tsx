import type { ComponentChild } from 'preact';
import type { DigestState } from '../../client/index.ts';
import { day, moment } from '../parts/dates.ts';
import { hrefOf } from '../route.ts';
import { askedOf } from './intent.ts';
import type { StoredDigest } from './stored-digest.ts';
import { count, STATUS_WORDS } from './words.ts';

interface DigestHeadProps {
  readonly digest: Pick<DigestState, 'status'>;
  readonly request: StoredDigest['request'];
}

/** Longer than this, a question is set as text. */
const LONG = 140;

/** What was asked, of how much, and when. */
export function DigestHead({ digest, request }: DigestHeadProps) {
  const { heading, userStory, background, earlier, from, to } = askedOf(request.intent);
  const { sign, word } = STATUS_WORDS[digest.status];
  return (
    <header class="read-head">
      <h1 class={heading.length > LONG ? 'read-long' : undefined} dir="auto">
        {heading}
      </h1>
      <p class="muted">
        {digest.status !== 'completed' && (
          <>
            <span class={`read-status-${digest.status}`}>
              <span aria-hidden="true">{sign}</span> {word}
            </span>
            {' · '}
          </>
        )}
        {count(request.documents.length, 'document')} · {moment(request.createdAt)}
      </p>
      <dl class="read-asked">
        <Fact name="Who asks" text={userStory} />
        <Fact name="Already known" text={background} />
        <Fact
          name="Already known"
          text={
            earlier !== null && <a href={hrefOf({ view: 'digest', id: earlier, face: 'read' })}>an earlier digest</a>
          }
        />
        <Fact name="Published from" text={from !== null && day(from)} />
        <Fact name="Published until" text={to !== null && day(to)} />
      </dl>
    </header>
  );
}

function Fact({ name, text }: { readonly name: string; readonly text: ComponentChild }) {
  if (text === null || text === false) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{text}</dd>
    </div>
  );
}
