import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/**
 * Lints what would be published, installs it in empty folders and makes a digest by each way in. Needs `npm run build`, and npm's cache
 * or network; with neither warm it takes minutes, so that `npm run verify` leaves it out.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = mkdtempSync(join(tmpdir(), 'tessera-smoke-'));
const DOCUMENT = 'Sick days fell by 21 percent. Overtime rose by 6 percent.';

function run(folder: string, command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function say(what: string, began: number, more = ''): void {
  process.stdout.write(`${what}: ${((performance.now() - began) / 1000).toFixed(1)} s${more}\n`);
}

/** Packs a folder and installs the tarball in an empty one. */
function install(from: string, name: string): string {
  const [{ filename, size, entryCount }] = JSON.parse(
    run(from, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', FOLDER),
  );
  const folder = join(FOLDER, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const began = performance.now();
  run(folder, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--silent', join(FOLDER, filename));
  const files = readdirSync(join(folder, 'node_modules'), { recursive: true, encoding: 'utf8' })
    .map((file) => lstatSync(join(folder, 'node_modules', file)))
    .filter((each) => each.isFile());
  const bytes = files.reduce((sum, each) => sum + each.size, 0);
  say(
    `install ${name}`,
    began,
    `; tarball ${size} bytes, ${entryCount} files; installed ${bytes} bytes, ${files.length} files`,
  );
  return folder;
}

function check(output: string): void {
  if (!output.includes('Sick days fell by 21 percent')) throw new Error(`no digest of the document in: ${output}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function withClient(service: string, client: string): Promise<void> {
  const port = await freePort();
  const environment = { ...process.env, TESSERA_DB: join(FOLDER, 'service.sqlite') };
  const command = [join(service, 'node_modules/tessera/dist/cli.js'), 'serve', '--port', String(port)];
  const server = spawn(process.execPath, command, { cwd: service, env: environment, stdio: 'ignore' });
  try {
    const baseUrl = `http://127.0.0.1:${port}`;
    const isReady = () =>
      fetch(`${baseUrl}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ); // refused until it listens
    for (let tries = 0; !(await isReady()); tries++) {
      if (tries > 300 || server.exitCode !== null) throw new Error('the installed service did not begin');
      await pause(100);
    }
    const began = performance.now();
    check(run(client, process.execPath, 'ask.js', baseUrl));
    say('digest by the client', began);
    const page = await fetch(baseUrl);
    if (!page.ok || !(await page.text()).includes('<title>Tessera')) throw new Error('the page is not in the package');
  } finally {
    server.kill();
    await once(server, 'exit');
  }
}

try {
  for (const folder of [ROOT, join(ROOT, 'dist/client-package')])
    run(ROOT, 'npx', 'publint', 'run', folder, '--strict');
  const library = install(ROOT, 'library');
  const [, code] =
    /```js\n(import \{ createTessera \} from 'tessera\/node';[\s\S]*?)```/.exec(
      readFileSync(join(ROOT, 'README.md'), 'utf8'),
    ) ?? [];
  writeFileSync(join(library, 'readme.js'), code);
  let began = performance.now();
  check(run(library, process.execPath, 'readme.js'));
  say('digest by the library', began);

  writeFileSync(join(library, 'note.txt'), DOCUMENT);
  began = performance.now();
  check(run(library, 'npx', 'tessera', 'digest', 'note.txt', '--intent', 'How much did sick days fall?'));
  say('digest by npx tessera', began);

  const client = install(join(ROOT, 'dist/client-package'), 'client');
  const ask = `import { createClient } from 'tessera-client';
const { digests } = createClient({ baseUrl: process.argv[2] });
const { summary } = await digests.create({ documents: [{ id: 'a', text: '${DOCUMENT}' }] });
console.log(summary.text);
`;
  writeFileSync(join(client, 'ask.js'), ask);
  const typed = `declare const process: { argv: string[] };\ndeclare const console: { log(text: string): void };\n${ask}`;
  writeFileSync(join(client, 'ask.ts'), typed);
  began = performance.now();
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--lib',
    'es2023,dom,dom.asynciterable',
    '--types',
    '',
  ];
  run(client, process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, 'ask.ts');
  say("the client's types, without skipLibCheck", began);
  await withClient(library, client);
} finally {
  rmSync(FOLDER, { recursive: true, force: true });
}
