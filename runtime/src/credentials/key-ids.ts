/** Returns the ids whose key `LINKER_CREDENTIALS_KEY` does not hold. */
export function missingKeyIds (keyIds: readonly string[], credentialsKey = ''): string[] {
  const held = new Set(credentialsKey.split(',').map(entry => entry.slice(0, entry.indexOf(':')).trim()))
  return keyIds.filter(id => !held.has(id))
}
