import { day } from '../parts/dates.ts';
import type { Stated } from './disagreement.ts';
import { useReading } from './reading.ts';

interface Side {
  /** What they say together; null where the heading says it. */
  readonly name: string | null;
  readonly stated: readonly Stated[];
}

interface SideBySideProps {
  readonly id: string;
  readonly heading: string;
  readonly sides: readonly Side[];
}

/** What several documents say, beside each other. */
export function SideBySide({ id, heading, sides }: SideBySideProps) {
  return (
    <section id={id} class="read-beside panel" aria-label={heading}>
      <p class="read-beside-head">
        <strong>{heading}</strong>
      </p>
      <div class={sides.length > 1 ? 'read-sides' : ''}>
        {sides.map(({ name, stated }) => (
          <div key={name}>
            {name !== null && <p class="muted">{name}</p>}
            <ul class="read-cards">
              {stated.map((each) => (
                <Card key={`${each.quote.start} ${each.document}`} {...each} />
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}

function Card({ document, quote, isPicked }: Stated) {
  const { documentOf, open } = useReading();
  const { name, number, publishedAt } = documentOf(document);
  return (
    <li class="read-card">
      <p class="read-card-head">
        {number !== null && `${number}. `}
        <bdi>{name}</bdi>
        {publishedAt !== null && <span class="muted"> {day(publishedAt)}</span>}
        {isPicked && <span class="read-picked">★ Picked wording</span>}
      </p>
      <blockquote dir="auto">{quote.text}</blockquote>
      <button
        type="button"
        aria-label={`Open the source: ${name}`}
        onClick={({ currentTarget }) => open({ document, quote }, currentTarget)}
      >
        Open the source
      </button>
    </li>
  );
}
