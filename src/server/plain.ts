/** T without `readonly`, all the way down. */
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Plain<T[Key]> }
    : T;

/** The same value for Hono's typed answers, which ask for arrays that may be changed; they only read them. */
export function plain<T>(value: T): Plain<T> {
  return value as Plain<T>;
}
