import type { SQL } from 'drizzle-orm';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import type { Connection } from '../../store/database.ts';
import * as schema from '../../store/schema.ts';

/** Stands in for a database that this process cannot open: what is committed becomes SQL, to be run over there. */
export interface SqlConnection extends Connection {
  /** The statements so far, one a line, their values in them. */
  written(): string;
}

/** A connection to nothing. Its queries and `write` reject: nothing can be read of a database that is elsewhere. */
export function sqlConnection(): SqlConnection {
  const dialect = new SQLiteAsyncDialect();
  const lines: string[] = [];
  const refuse = async (): Promise<never> => {
    throw new Error('the database is elsewhere');
  };
  return {
    query: drizzle(refuse, { schema }),
    async commit(statements) {
      for (const statement of statements) {
        // Statements of every driver make SQL; the shared type knows only what D1 needs.
        const made = (statement as unknown as { getSQL(): SQL }).getSQL();
        lines.push(dialect.sqlToQuery(made.inlineParams()).sql);
      }
    },
    write: refuse,
    now: () => Date.now(),
    written: () => lines.map((line) => `${line};\n`).join(''),
  };
}
