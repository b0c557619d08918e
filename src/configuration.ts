import { z } from 'zod';
import { TesseraError } from './tessera-error.ts';

/** A setting has a value that cannot be used; the message names it. */
export class ConfigurationError extends TesseraError {
  readonly code = 'configuration';
}

const integer = (least: number, most: number) =>
  z.string().regex(/^\d+$/).transform(Number).pipe(z.number().min(least).max(most));

/** Every setting: its name in the environment, what it may be, and its default. */
const settings = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: integer(0, 65535).default(8787),
  TESSERA_DB: z.string().min(1).default('var/tessera.sqlite'),
  TESSERA_MODELS: z.string().min(1).optional(),
  TESSERA_HUB: z.url().default('https://huggingface.co'),
  TESSERA_ENCODER: z.enum(['auto', 'use-lite', 'transformers']).default('auto'),
  TESSERA_MATRIX: z.enum(['auto', 'onnxruntime', 'wasm', 'portable']).default('auto'),
  TESSERA_MAX_BODY_MB: integer(1, 1024).default(32),
  TESSERA_LOG: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

const EXPECTED: Record<keyof typeof settings.shape, string> = {
  HOST: 'an address to bind to',
  PORT: 'a number from 0 to 65535',
  TESSERA_DB: 'the path of the database file',
  TESSERA_MODELS: 'a folder of model folders',
  TESSERA_HUB: 'the address of a model hub',
  TESSERA_ENCODER: '"auto", "use-lite" or "transformers"',
  TESSERA_MATRIX: '"auto", "onnxruntime", "wasm" or "portable"',
  TESSERA_MAX_BODY_MB: 'a number from 1 to 1024',
  TESSERA_LOG: '"debug", "info", "warn", "error" or "silent"',
};

/** The settings of a process, checked. */
export interface Configuration {
  readonly host: string;
  readonly port: number;
  /** Database file. */
  readonly database: string;
  /** Folder of model folders. */
  readonly models: string | undefined;
  /** Address of the model hub that `tessera models pull` reads. */
  readonly hub: string;
  readonly encoder: 'auto' | 'use-lite' | 'transformers';
  readonly matrix: 'auto' | 'onnxruntime' | 'wasm' | 'portable';
  readonly maxBodyBytes: number;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

/**
 * Reads the configuration; an empty value counts as absent.
 *
 * @param environment the process's environment variables
 * @throws ConfigurationError that names the first wrong value
 */
export function readConfiguration(environment: Readonly<Record<string, string | undefined>>): Configuration {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const { success, data, error } = settings.safeParse(given);
  if (!success) {
    const name = String(error.issues[0].path[0]) as keyof typeof EXPECTED; // every issue lies under a setting's name
    throw new ConfigurationError(`${name} must be ${EXPECTED[name]}, not "${given[name]}".`);
  }
  return {
    host: data.HOST,
    port: data.PORT,
    database: data.TESSERA_DB,
    models: data.TESSERA_MODELS,
    hub: data.TESSERA_HUB,
    encoder: data.TESSERA_ENCODER,
    matrix: data.TESSERA_MATRIX,
    maxBodyBytes: data.TESSERA_MAX_BODY_MB * 1024 * 1024,
    logLevel: data.TESSERA_LOG,
  };
}
