import { shownAddress } from '../../models/index.ts';
import type { Log } from '../middleware/request-log.ts';
import type { Configuration } from './configuration.ts';
import { plainFields } from './console-log.ts';

/** What is printed to, such as `process.stderr`. */
interface Output {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** Whether a person reads the log, rather than a program: on a terminal, unless everything is logged. */
export function isForPeople({ logLevel }: Pick<Configuration, 'logLevel'>, output: Output): boolean {
  return output.isTTY === true && logLevel !== 'debug';
}

/** Warnings and errors in words; what else happens is no news on a terminal. */
export function wordsLog({ logLevel }: Pick<Configuration, 'logLevel'>, output: Output): Log {
  return (level, fields, message) => {
    const isShown = level === 'error' ? logLevel !== 'silent' : level === 'warn' && /^(?:info|warn)$/.test(logLevel);
    if (!isShown) return;
    const facts = JSON.stringify(plainFields(fields)); // one line, without control characters
    output.write(`${level === 'error' ? 'Error' : 'Warning'}: ${message}${facts === '{}' ? '' : ` ${facts}`}\n`);
  };
}

/**
 * Where to open the service, with which engine and over which database.
 * @param url as the socket is bound
 */
export function readyText(url: string, configuration: Configuration): string {
  const { database } = configuration;
  const place = url.replace(/\/\/(?:127\.0\.0\.1|0\.0\.0\.0|\[::1?\])(?=:|$)/, '//localhost');
  return `Tessera is ready: open ${place} in a browser.
Engine: ${engineText(configuration)}
Database: ${database === ':memory:' ? 'in memory, lost at the end' : database}
Stop with Ctrl-C.
`;
}

function engineText({ languageModel: { endpoint, defaultModel, extractor, writer } }: Configuration): string {
  if (endpoint === null) {
    return 'embedded, no language model (set TESSERA_MODEL, and OPENAI_API_KEY or OPENAI_BASE_URL, to attach one)';
  }
  const at = endpoint.baseUrl === undefined ? 'OpenAI' : shownAddress(endpoint.baseUrl);
  const model = `${defaultModel ?? 'the model that a request names'} at ${at}`;
  if (writer === 'llm') return model;
  return `embedded${extractor === 'sentences' ? '' : `, with key points by ${model}`}; ${model} for requests with "engine": "llm"`;
}
