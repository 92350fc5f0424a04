/** One regular expression out of parts that follow each other, with the flags of the last. */
export function pattern (...parts: readonly RegExp[]): RegExp {
  return new RegExp(parts.map(({ source }) => source).join(''), parts.at(-1)?.flags)
}
