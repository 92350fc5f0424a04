/** The forms in which a secret may leave the hub: as it is, encoded, and within JSON. */
export function formsOf (secret: string): string[] {
  const bytes = Buffer.from(secret)
  const forms = [
    secret,
    encodeURIComponent(secret),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    JSON.stringify(secret).slice(1, -1)
  ]
  return [...new Set(forms)]
}

/** Whether a text holds one of the secrets in one of their forms. */
export function holdsSecret (text: string, secrets: readonly string[]): boolean {
  return secrets.some(secret => formsOf(secret).some(form => text.includes(form)))
}
