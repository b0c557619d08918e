import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { unstable_readConfig } from 'wrangler';
import { checkBundle, MAX_BYTES } from './check-bundle.ts';
import { wrangler } from './wrangler.ts';

/** Where the bundle goes; the tests of the edge run it from here. */
const FOLDER = 'dist/edge';

/**
 * Builds the Worker, checks what would be uploaded, and unless it is a dry run brings the database up to date and deploys it.
 *
 *     npm run deploy:edge -- [--dry-run] [--env staging]
 */
const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false }, env: { type: 'string', default: '' } },
});
const environment = ['--env', values.env];

rmSync(FOLDER, { recursive: true, force: true });
const built = await wrangler(['deploy', '--dry-run', '--outdir', FOLDER, '--metafile', ...environment], {
  isQuiet: true,
});
if (built.code !== 0) end(built.output);
const { bytes, gzipped, imports, problems } = checkBundle(FOLDER);
const kilobytes = (count: number): string => `${Math.round(count / 1000)} kB`;
process.stdout.write(
  `The Worker: ${kilobytes(bytes)}, ${kilobytes(gzipped)} gzipped of at most ${kilobytes(MAX_BYTES)}; imports ${imports.join(', ')}.\n`,
);
if (problems.length > 0) end(`It cannot be deployed: ${problems.join('; ')}.\n`);

if (!values['dry-run']) {
  const database = databaseOf(values.env);
  if (database.id === undefined) {
    end(
      `wrangler.toml has no database_id for "${database.name}": npx wrangler d1 create ${database.name} prints it.\n`,
    );
  }
  // The new Worker may read what only the new migrations bring; the old one does not mind them.
  const migrated = await wrangler(['d1', 'migrations', 'apply', 'DB', '--remote', ...environment]);
  if (migrated.code !== 0) process.exit(migrated.code);
  const { code } = await wrangler(['deploy', ...environment]);
  process.exit(code);
}

/** The database of an environment as wrangler reads it; without an id there is none yet. */
function databaseOf(env: string): { readonly name: string; readonly id: string | undefined } {
  // One environment has one database, whatever wrangler's types hold possible.
  const [database] = unstable_readConfig({ config: 'wrangler.toml', env }).d1_databases;
  return { name: database?.database_name ?? 'tessera', id: database?.database_id };
}

function end(message: string): never {
  process.stderr.write(message);
  process.exit(1);
}
