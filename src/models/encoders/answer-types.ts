/** A linear classifier of unit sentence vectors: the log-odds of class c are `bias[c] + weights[c] . vector`. */
export interface LinearClassifier {
  readonly bias: readonly number[];
  readonly weights: readonly (readonly number[])[];
}

/** The statement type that a question expects: expected answer type classification (Li & Roth, COLING 2002). */
export interface AnswerTypes {
  /** The encoder whose vectors were used to fit the weights. */
  readonly encoder: string;
  readonly types: readonly string[];
  readonly statements: LinearClassifier;
  /** The types, then "none", as exclusive classes. */
  readonly questions: LinearClassifier;
}

export function typesAsked({ types, questions }: AnswerTypes, question: Float32Array): Float64Array {
  return softmax(logOdds(questions, question)).slice(0, types.length);
}

export function ofTypesAsked(
  { statements: { bias, weights } }: AnswerTypes,
  asked: Float64Array,
  vectors: readonly Float32Array[],
): Float64Array {
  // Linear in the vector, so one weighted sum serves all statements.
  const start = asked.reduce((sum, share, type) => sum + share * bias[type], 0);
  const row = Float64Array.from({ length: weights[0]?.length ?? 0 }, (_, c) =>
    asked.reduce((sum, share, type) => sum + share * weights[type][c], 0),
  );
  const odds = new Float64Array(vectors.length);
  for (let i = 0; i < odds.length; i++) {
    const vector = vectors[i];
    let sum = start;
    for (let c = 0; c < row.length; c++) sum += row[c] * vector[c];
    odds[i] = sum;
  }
  return odds;
}

export function softmax(odds: Float64Array): Float64Array {
  const largest = odds.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  const raised = odds.map((value) => Math.exp(value - largest));
  const total = raised.reduce((sum, value) => sum + value, 0);
  return raised.map((value) => value / total);
}

export function logOdds({ bias, weights }: LinearClassifier, vector: Float32Array): Float64Array {
  return Float64Array.from(bias, (start, c) => {
    const row = weights[c];
    let sum = start;
    for (let i = 0; i < vector.length; i++) sum += row[i] * vector[i];
    return sum;
  });
}
