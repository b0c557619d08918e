import type { Progress } from '../../client/index.ts';
import './progress-list.css';

const STAGES: readonly { readonly stage: Progress['stage']; readonly name: string }[] = [
  { stage: 'extract', name: 'Read the documents' },
  { stage: 'encode', name: 'Compare the key points' },
  { stage: 'rank', name: 'Match them with the question' },
  { stage: 'select', name: 'Select key points that do not repeat each other' },
  { stage: 'write', name: 'Write the answer' },
];

interface ProgressListProps {
  /** How far it has come; null before the first stage. */
  readonly progress: Progress | null;
  /** A document by its id, as a reader knows it. */
  readonly nameOf?: (document: string) => string;
}

/** The stages of a digest that is being made: those that are done, the one at work, and those ahead. */
export function ProgressList({ progress, nameOf = (id) => id }: ProgressListProps) {
  const current = STAGES.findIndex(({ stage }) => stage === progress?.stage);
  return (
    <ol class="progress-list" aria-label="Stages">
      {STAGES.map(({ stage, name }, index) => {
        const state = index < current ? 'done' : index === current ? 'at-work' : 'ahead';
        return (
          <li key={stage} class={`progress-${state}`} aria-current={state === 'at-work' ? 'step' : undefined}>
            <span class="progress-sign" aria-hidden="true">
              {SIGNS[state]}
            </span>
            <span class="progress-name">
              {name}
              <span class="unseen">: {WORDS[state]}</span>
            </span>
            {state === 'at-work' && progress !== null && <AtWork name={name} progress={progress} nameOf={nameOf} />}
          </li>
        );
      })}
    </ol>
  );
}

const SIGNS = { done: '✓', 'at-work': '▸', ahead: '·' } as const;
const WORDS = { done: 'done', 'at-work': 'in progress', ahead: 'to do' } as const;

interface AtWorkProps extends Required<ProgressListProps> {
  readonly name: string;
  readonly progress: Progress;
}

function AtWork({ name, progress: { done, total, document }, nameOf }: AtWorkProps) {
  return (
    <>
      <span class="muted">{total > 1 && `${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`}</span>
      <progress max={Math.max(total, 1)} value={total > 1 ? done : undefined} aria-label={name} />
      {document !== undefined && <bdi class="muted progress-document">{nameOf(document)}</bdi>}
    </>
  );
}
