import type { Digest } from '../../client/index.ts';
import { ScrollBox } from '../parts/scroll-box.tsx';
import type { StoredDigest } from '../reading/stored-digest.ts';
import { compareMetrics } from './compare-metrics.ts';
import { restOf, textOf } from './intent-text.ts';
import { sameValue } from './option-leaves.ts';
import { differingOptions } from './words-of-options.ts';

interface FiguresProps {
  readonly left: StoredDigest;
  readonly right: StoredDigest;
}

/** What differs in how both were made, and what came of it in figures. */
export function ComparedFigures({ left, right }: FiguresProps) {
  return (
    <>
      <OptionsTable left={left} right={right} />
      <MetricsTable left={left} right={right} />
      <TimingsTable left={left} right={right} />
    </>
  );
}

function MetricsTable({ left, right }: FiguresProps) {
  return (
    <section class="cmp-figures" aria-labelledby="cmp-metrics">
      <h2 id="cmp-metrics">Figures</h2>
      <ScrollBox label="Figures of both">
        <table class="cmp-table cmp-wide">
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col" class="number">
                Left
              </th>
              <th scope="col" class="number">
                Right
              </th>
              <th scope="col" class="number">
                Difference
              </th>
              <th scope="col">Better</th>
            </tr>
          </thead>
          <tbody>
            {compareMetrics(left, right).map(({ name, meaning, note, better, ...row }) => (
              <tr key={name}>
                <th scope="row">
                  {name} <span class="muted cmp-meaning">{meaning}</span>
                </th>
                <td class="number">
                  {row.left}
                  {better === 'left' && <Better />}
                </td>
                <td class="number">
                  {row.right}
                  {better === 'right' && <Better />}
                </td>
                <td class="number">{row.difference ?? '–'}</td>
                <td class="muted">{note}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      <p class="muted">pp: percentage points.</p>
    </section>
  );
}

function Better() {
  return (
    <span class="cmp-better">
      {' '}
      <span aria-hidden="true">✓</span>
      <span class="unseen">better</span>
    </span>
  );
}

function OptionsTable({ left, right }: FiguresProps) {
  const [ofLeft, ofRight] = [left, right].map(({ request }) => request.intent ?? undefined);
  const rows = differingOptions(left, right);
  const hasOtherIntent = !sameValue(ofLeft ?? null, ofRight ?? null);
  return (
    <section class="cmp-figures" aria-labelledby="cmp-options">
      <h2 id="cmp-options">Options that differ</h2>
      {rows.length === 0 && !hasOtherIntent ? (
        <p>None: both were made in the same way.</p>
      ) : (
        <ScrollBox label="Table of the options that differ">
          <table class="cmp-table">
            <thead>
              <tr>
                <th scope="col">Option</th>
                <th scope="col">Left</th>
                <th scope="col">Right</th>
              </tr>
            </thead>
            <tbody>
              {hasOtherIntent && (
                <tr>
                  <th scope="row">Question</th>
                  {[ofLeft, ofRight].map((intent, place) => (
                    <td key={place === 0 ? 'left' : 'right'}>
                      {[textOf(intent) || 'none', ...restOf(intent).map(({ name, text }) => `${name}: ${text}`)].join(
                        '. ',
                      )}
                    </td>
                  ))}
                </tr>
              )}
              {rows.map((row) => (
                <tr key={row.path}>
                  <th scope="row">
                    {row.name} {row.name !== row.path && <code class="muted cmp-meaning">{row.path}</code>}
                  </th>
                  <td>{row.left}</td>
                  <td>{row.right}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
      <p class="muted">
        Defaults are included; numbers that are computed from the documents may differ by themselves.{' '}
        {describeEngine(left.digest, right.digest)}
      </p>
    </section>
  );
}

function describeEngine({ engine }: Digest, { engine: other }: Digest): string {
  if (engine.encoder !== other.encoder || engine.writer !== other.writer || engine.extractor !== other.extractor)
    return '';
  return `Engine of both: key points by ${engine.extractor}, similarity by ${engine.encoder}, written by ${engine.writer}.`;
}

const STAGES = [
  ['extract', 'Reading the documents'],
  ['encode', 'Comparing key points'],
  ['rank', 'Matching them with the question'],
  ['select', 'Selecting key points'],
  ['write', 'Writing'],
] as const;

function TimingsTable({ left, right }: FiguresProps) {
  const [ofLeft, ofRight] = [left.digest.timings, right.digest.timings];
  const total = (timings: Digest['timings']): number => Object.values(timings).reduce((sum, each) => sum + each, 0);
  return (
    <details class="cmp-timings">
      <summary>
        Time taken: {seconds(total(ofLeft))} and {seconds(total(ofRight))}
      </summary>
      <p class="muted">
        Documents that were read before are not read again, so the later digest is often the faster one.
      </p>
      <ScrollBox label="Time taken by stage">
        <table class="cmp-table">
          <thead>
            <tr>
              <th scope="col">Stage</th>
              <th scope="col" class="number">
                Left
              </th>
              <th scope="col" class="number">
                Right
              </th>
            </tr>
          </thead>
          <tbody>
            {STAGES.map(([stage, name]) => (
              <tr key={stage}>
                <th scope="row">{name}</th>
                <td class="number">{seconds(ofLeft[stage])}</td>
                <td class="number">{seconds(ofRight[stage])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </details>
  );
}

function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${Number((milliseconds / 1000).toPrecision(2))} s`;
}
