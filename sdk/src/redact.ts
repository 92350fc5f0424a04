const shortestSecret = 4

/**
 * Makes a function that replaces every one of `secrets` in a text by `[redacted]`, as it is and
 * URL-encoded. A secret of fewer than four characters is left alone: it would shred every message.
 */
export function createRedactor (secrets: Iterable<string>): (text: string) => string {
  const forms = new Set<string>()
  for (const secret of secrets) {
    if (secret.length < shortestSecret) continue
    forms.add(secret)
    forms.add(encodeURIComponent(secret.toWellFormed()))
  }
  // The longest first: a secret that contains another would leave its rest behind.
  const ordered = [...forms].sort((a, b) => b.length - a.length)
  return text => ordered.reduce((rest, form) => rest.replaceAll(form, '[redacted]'), text)
}
