/** Characters that may stand for each other: an adapter may check the form of a key. */
const rings = ['0123456789', 'abcdef', 'ghijklmnopqrstuvwxyz', 'ABCDEF', 'GHIJKLMNOPQRSTUVWXYZ']

/**
 * Returns credentials with other secrets of the same form, as of another key of the same account;
 * undefined when they have none of the secrets.
 */
export function withOtherSecrets (credentials: unknown, secrets: readonly string[]): unknown {
  const known = JSON.stringify(credentials) ?? 'null'
  const changed = JSON.stringify(
    JSON.parse(known),
    (_name, member: unknown) => typeof member === 'string' && secrets.includes(member) ? otherSecret(member) : member
  )
  return changed === known ? undefined : JSON.parse(changed)
}

function otherSecret (secret: string): string {
  return secret.replaceAll(/[0-9a-z]/gi, sign => {
    const ring = rings.find(ring => ring.includes(sign)) ?? sign
    return ring.charAt((ring.indexOf(sign) + 1) % ring.length)
  })
}
