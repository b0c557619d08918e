/** A linear classifier of unit sentence vectors: log-odds of each class, `bias[c] + weights[c] . vector`. */
export interface LinearClassifier {
  readonly bias: readonly number[];
  /** One row a class, as long as a vector. */
  readonly weights: readonly (readonly number[])[];
}

/**
 * What a question wants to hear, and whether a statement is of that type, as sentence vectors tell: "What do buyers complain
 * about?" wants complaints. Question classification by expected answer type (Li & Roth, COLING 2002).
 */
export interface AnswerTypes {
  /** Whose vectors these were fitted to. */
  readonly encoder: string;
  /** Names of the types: "complaint", "decision" and so on. */
  readonly types: readonly string[];
  /** Whether a statement is of a type: one class a type, each by itself. */
  readonly statements: LinearClassifier;
  /** Which type a question asks for: the types and then none of them, of which one holds. */
  readonly questions: LinearClassifier;
}

/** The probability of each type that a question asks for it; what they lack to 1 is that it asks for none. */
export function typesAsked({ types, questions }: AnswerTypes, question: Float32Array): Float64Array {
  return softmax(logOdds(questions, question)).slice(0, types.length);
}

/** Log-odds of each statement that it is of the types that are asked for, weighted by how far each is. */
export function ofTypesAsked(
  { statements: { bias, weights } }: AnswerTypes,
  asked: Float64Array,
  vectors: readonly Float32Array[],
): Float64Array {
  // Linear in the vector: one sum of the weights serves every statement.
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

/** Probabilities of classes of which one holds. */
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
