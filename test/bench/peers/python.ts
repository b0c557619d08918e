import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const HERE = import.meta.dirname;
const ENVIRONMENT = resolve(HERE, '../../../node_modules/.cache/tessera-peers');
const OUTPUT_BYTES = 64 * 1024 * 1024;

/** Makes the virtual environment of `requirements.txt` unless it is there already; returns the path of its python. */
function preparePython(): string {
  const requirements = join(HERE, 'requirements.txt');
  const wanted = readFileSync(requirements, 'utf8');
  const python = join(ENVIRONMENT, 'bin', 'python');
  // Written last, so that an environment that was left half made is made again.
  const stamp = join(ENVIRONMENT, 'installed.txt');
  if (existsSync(python) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return python;

  rmSync(ENVIRONMENT, { recursive: true, force: true });
  mkdirSync(dirname(ENVIRONMENT), { recursive: true });
  process.stderr.write(`python: installing ${wanted.trim().split(/\s+/).join(', ')}\n`);
  run('python3', ['-m', 'venv', ENVIRONMENT]);
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
  writeFileSync(stamp, wanted);
  return python;
}

/** Has a script of this folder measure what the manifest asks for; what is measured at the moment goes to stderr. */
export function runPeers<Figures>(script: 'peers.py' | 'nearest.py' | 'search.py', manifest: object): Figures {
  const python = preparePython();
  const folder = mkdtempSync(join(tmpdir(), 'tessera-peers-'));
  try {
    const file = join(folder, 'manifest.json');
    writeFileSync(file, JSON.stringify(manifest));
    return JSON.parse(run(python, [join(HERE, script), file], true)); // as the script's first lines say
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a command and returns what it wrote to stdout; its stderr is shown as it comes or, else, told where it fails. */
function run(command: string, parameters: readonly string[], showProgress = false): string {
  const result = spawnSync(command, parameters, {
    encoding: 'utf8',
    maxBuffer: OUTPUT_BYTES,
    stdio: ['ignore', 'pipe', showProgress ? 'inherit' : 'pipe'],
  });
  if (result.error === undefined && result.status === 0) return result.stdout;
  throw new Error(`${[command, ...parameters].join(' ')}: ${failure(command, result)}`);
}

function failure(command: string, { error, status, signal, stdout, stderr }: SpawnSyncReturns<string>): string {
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') {
    return `${command} is not there; the peers need Python 3.11 or later, with venv and pip`;
  }
  if (error !== undefined) return error.message;
  const said = [stdout, stderr].map((text) => text?.trim()).filter(Boolean);
  return [`ended with ${signal ?? `status ${status}`}`, ...said].join('\n');
}
