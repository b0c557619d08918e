import { ModelRefusal } from './answer-failures.ts';
import type { RequestFailure } from './classify-failure.ts';
import type { ModelFailure } from './model-call-error.ts';

const WORDS: Readonly<Record<ModelFailure, string>> = {
  timeout: 'The language model did not answer in time',
  'rate-limited': 'The language model takes no more requests for now',
  quota: 'The quota at the language model is used up',
  refused: 'The language model did not accept the request',
  unreachable: 'The language model could not be reached, or the connection broke',
  server: 'The server of the language model failed',
  malformed: 'The language model answered in a form that could not be read',
  cancelled: 'The call of the language model was cancelled',
};

const WORDS_OF_STATUS: Readonly<Record<number, string>> = {
  401: 'The language model did not accept the key',
  403: 'The language model did not accept the key, or not for this model',
  404: 'The model, or the address of the language model, is not known there',
};

/** What failed, for the caller of the API: in words of this project alone, and none of the server's. */
export function failureMessage({ failure, status }: RequestFailure, requests: number, error: unknown): string {
  const what = error instanceof ModelRefusal ? 'The language model refused to answer' : wordsOf(failure, status);
  const http = status === null ? '' : ` (HTTP ${status})`;
  return `${what}${http}, after ${requests} ${requests === 1 ? 'request' : 'requests'}.`;
}

function wordsOf(failure: ModelFailure, status: number | null): string {
  return (failure === 'refused' && status !== null && WORDS_OF_STATUS[status]) || WORDS[failure];
}
