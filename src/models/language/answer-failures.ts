/** An answer came that is not what was asked for: another schema, no choices, no content. */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer';
}

/** The model said that it will not answer. */
export class ModelRefusal extends Error {
  override readonly name = 'ModelRefusal';

  constructor() {
    super('the model refused to answer');
  }
}

/** Whoever listens to a stream threw: not a failure of the call, and not to be tried again. */
export class ListenerFailure extends Error {
  override readonly name = 'ListenerFailure';
}
