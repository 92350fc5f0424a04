/** Returns what was thrown; makes an error of anything that is none. */
export function asError (thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
