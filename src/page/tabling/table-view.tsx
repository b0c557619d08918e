import { useState } from 'preact/hooks';
import { type Quote, type SourceDocument, type TableCell, tableCsv, tableXlsx } from '../../client/index.ts';
import { useService, useWorkspace } from '../context.tsx';
import { pastedDocument, withDocument } from '../making/documents.ts';
import { DocumentsField } from '../making/documents-field.tsx';
import { nameOf, wellFormed, withNames } from '../making/draft.ts';
import { announce, download } from '../parts/browser.ts';
import { Form, TextField } from '../parts/fields.tsx';
import { useTask } from '../parts/loading.tsx';
import { Dialog, Menu } from '../parts/overlays.tsx';
import { Notices, Problem } from '../parts/problem.tsx';
import { count } from '../parts/words.ts';
import { SourceText } from '../reading/source-text.tsx';
import { hrefOf } from '../route.ts';
import { type Column, type Filter, isOpen, NO_COLUMN, NO_FILTER, shownRows, tableOf, told } from './columns.ts';
import '../making/ask.css';
import '../reading/reading.css';
import './table.css';

const MAX_QUESTIONS = 10;

export function TableView() {
  const { client } = useService();
  const { documents, pasted, columns, options, change } = useWorkspace();
  const { isRunning, failure, run, cancel } = useTask();
  const [warnings, warn] = useState<readonly string[]>([]);
  const setColumn = (index: number, question: string): void =>
    change({ columns: columns.map((column, place) => (place === index ? { ...column, question } : column)) });
  const fill = async (signal: AbortSignal): Promise<void> => {
    warn([]);
    const read = pasted.trim() === '' ? documents : withDocument(documents, pastedDocument(pasted));
    change({ documents: read, pasted: '' });
    const questions = [
      ...new Set(columns.filter((column) => isOpen(column, read)).map((each) => wellFormed(each.question).trim())),
    ];
    if (questions.length === 0) return;
    const { writer, encoder, model } = options.engine ?? {};
    const request = { documents: read, questions, engine: { writer, encoder, model } };
    for await (const event of client.tables.stream(request, { signal })) {
      change((before) => ({ columns: told(before.columns, event, questions, read) }));
      if (event.event === 'table') warn(event.data.warnings);
    }
    announce('The table is filled.');
  };
  const filled = columns.filter(({ cells }) => cells.size > 0);
  return (
    <div class="table-view">
      <h1>Ask each document</h1>
      <p class="muted">
        A row for each document, a column for each question. Tables are not stored: export what you need.
      </p>
      <Form class="ask-form" aria-label="Table" onSubmit={() => void run(fill)}>
        {columns.map(({ question }, index) => (
          <div key={index} class="table-question">
            <TextField
              label={`Question ${index + 1}`}
              placeholder="What does it cost?"
              value={question}
              required={index === 0}
              maxLength={1000}
              onChange={(value) => setColumn(index, value)}
            />
            {columns.length > 1 && (
              <button
                type="button"
                aria-label={`Remove question ${index + 1}`}
                onClick={() => change({ columns: columns.filter((_, place) => place !== index) })}
              >
                ✕
              </button>
            )}
          </div>
        ))}
        {columns.length < MAX_QUESTIONS && (
          <button type="button" class="table-add" onClick={() => change({ columns: [...columns, NO_COLUMN] })}>
            Add a question
          </button>
        )}
        <DocumentsField />
        {documents.length > 0 && (
          <p class="muted">
            {count(documents.length, 'document')} <a href={hrefOf({ view: 'make' })}>Show or change</a>
          </p>
        )}
        <div class="ask-make">
          {isRunning && (
            <button type="button" onClick={cancel}>
              Cancel
            </button>
          )}
          <button type="submit" class="primary" aria-disabled={isRunning}>
            {isRunning ? 'Filling…' : 'Fill table'}
          </button>
        </div>
      </Form>
      {failure !== null && <Problem failure={withNames(failure, documents)} />}
      <Notices of={warnings} />
      {filled.length > 0 && documents.length > 0 && (
        <Filled documents={documents} columns={filled} isRunning={isRunning} />
      )}
    </div>
  );
}

interface FilledProps {
  readonly documents: readonly SourceDocument[];
  readonly columns: readonly Column[];
  readonly isRunning: boolean;
}

function Filled({ documents, columns, isRunning }: FilledProps) {
  const [filter, setFilter] = useState<Filter>(NO_FILTER);
  const [opened, open] = useState<{ readonly document: SourceDocument; readonly quote: Quote } | null>(null);
  const rows = shownRows(documents, columns, filter);
  const table = tableOf(rows, columns);
  const all = tableOf(documents, columns);
  const head = (column: number, name: string) => {
    const { sort } = filter;
    const isOwn = sort?.column === column;
    const next = !isOwn ? { column, isDown: false } : sort.isDown ? null : { column, isDown: true };
    return (
      <button type="button" class="plain" onClick={() => setFilter({ ...filter, sort: next })}>
        <bdi>{name}</bdi> <span aria-hidden="true">{isOwn ? (sort.isDown ? '▾' : '▴') : '↕'}</span>
      </button>
    );
  };
  const order = (column: number) =>
    filter.sort?.column !== column ? 'none' : filter.sort.isDown ? 'descending' : 'ascending';
  const narrow = (column: number, isSaid: boolean, name: string) => {
    const isOn = filter.said?.column === column && filter.said.isSaid === isSaid;
    return (
      <button
        type="button"
        aria-pressed={isOn}
        onClick={() => setFilter({ ...filter, said: isOn ? null : { column, isSaid } })}
      >
        {name}
      </button>
    );
  };
  return (
    <section aria-label="Answers" aria-busy={isRunning}>
      <div class="actions">
        <TextField
          label="Filter"
          type="search"
          value={filter.words}
          onChange={(words) => setFilter({ ...filter, words })}
        />
        <span class="muted" role="status">
          {rows.length < documents.length && `${rows.length} of ${count(documents.length, 'row')}`}
        </span>
        <Menu name="Export">
          {(close) =>
            [
              { name: 'CSV', ending: 'csv', write: async () => new Blob([tableCsv(table)], { type: 'text/csv' }) },
              { name: 'Excel', ending: 'xlsx', write: () => tableXlsx(table) },
            ].map(({ name, ending, write }) => (
              <button
                key={name}
                type="button"
                onClick={async () => {
                  close();
                  download(`table.${ending}`, await write());
                  announce(`The table was downloaded as ${name}.`);
                }}
              >
                {name}
              </button>
            ))
          }
        </Menu>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by keyboard */}
      <section class="scrolls" aria-label="Table" tabIndex={0}>
        <table class="table-cells">
          <thead>
            <tr>
              <th scope="col" aria-sort={order(-1)}>
                {head(-1, 'Document')}
              </th>
              {all.columns.map(({ question, answered, of }, column) => (
                <th key={column} scope="col" aria-sort={order(column)}>
                  {head(column, question)}
                  <div class="table-counts">
                    {narrow(column, true, `${answered} of ${of} mention it`)}
                    {narrow(column, false, 'not said')}
                  </div>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((document) => (
              <tr key={document.id}>
                <th scope="row">
                  <bdi>{nameOf(document)}</bdi>
                </th>
                {columns.map(({ cells }, column) => (
                  <td key={column}>
                    <Cell cell={cells.get(document)} onOpen={(quote) => open({ document, quote })} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {opened !== null && <Source {...opened} onClose={() => open(null)} />}
    </section>
  );
}

interface CellProps {
  readonly cell: TableCell | undefined;
  readonly onOpen: (quote: Quote) => void;
}

function Cell({ cell, onOpen }: CellProps) {
  if (cell === undefined) return <span class="muted">…</span>;
  const { text, quote, sure, agrees } = cell;
  if (quote === null) return <span class="muted">not said</span>;
  return (
    <>
      <button type="button" class="plain" dir="auto" onClick={() => onOpen(quote)}>
        {!sure && <span class="muted">Perhaps: </span>}
        {text}
      </button>
      {agrees.length > 0 && <span class="muted"> {count(agrees.length, 'other says', 'others say')} the same</span>}
    </>
  );
}

function Source({
  document,
  quote,
  onClose,
}: {
  readonly document: SourceDocument;
  readonly quote: Quote;
  readonly onClose: () => void;
}) {
  const name = nameOf(document);
  return (
    <Dialog class="read-sheet" label={`Source: ${name}`} onClose={onClose}>
      <div class="read-panel">
        <header class="read-panel-head">
          <h2>
            <bdi>{name}</bdi>
          </h2>
          <button type="button" aria-label="Close the source" onClick={onClose}>
            ✕
          </button>
        </header>
        <SourceText text={document.text} picked={quote} others={[]} label={`Text of ${name}`} />
      </div>
    </Dialog>
  );
}
