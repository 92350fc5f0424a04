/** A random key for an action. `crypto.randomUUID` is missing on plain http beyond this machine. */
export function randomKey (): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}
