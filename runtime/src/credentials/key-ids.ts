/** Returns the ids whose key `LINKER_CREDENTIALS_KEY` does not hold. */
export function missingKeyIds (keyIds: readonly string[], credentialsKey = ''): string[] {
  const held = new Set(heldKeyIds(credentialsKey))
  return keyIds.filter(id => !held.has(id))
}

/** Returns the ids in `LINKER_CREDENTIALS_KEY`, the newest first. */
export function heldKeyIds (credentialsKey = ''): string[] {
  return credentialsKey === ''
    ? []
    : credentialsKey.split(',').map(entry => entry.slice(0, entry.indexOf(':')).trim())
}
