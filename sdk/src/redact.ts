const shortestSecret = 4

/**
 * Makes a function that replaces every one of `secrets` in a text by `[redacted]`: plain, and
 * encoded as in a URL and as in a form. It leaves secrets of fewer than four characters alone:
 * replacing them would shred every message.
 */
export function createRedactor (secrets: Iterable<string>): (text: string) => string {
  const forms = new Set<string>()
  for (const secret of secrets) {
    if (secret.length < shortestSecret) continue
    forms.add(secret)
    forms.add(encodeURIComponent(secret.toWellFormed()))
    forms.add(new URLSearchParams([['', secret]]).toString().slice(1))
  }
  // Replace the longest first: otherwise a secret that contains a shorter one would leave its rest
  // behind.
  const ordered = [...forms].sort((a, b) => b.length - a.length)
  return text => ordered.reduce((rest, form) => rest.replaceAll(form, '[redacted]'), text)
}
