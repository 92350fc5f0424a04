const longEnough = 4
const hidden = '[redacted]'

/**
 * Makes the function that hides secrets of the environment in a text, in the forms in which they
 * may be there. It also hides passwords in addresses, tokens in headers, addresses of e-mails, and
 * where the home directory is, which has the name of a person.
 */
export function createMask (secrets: readonly string[], homeDirectory: string): (text: string) => string {
  const forms = [...new Set(secrets.filter(secret => secret.length >= longEnough).flatMap(formsOf))]
    .toSorted((a, b) => b.length - a.length)
  return text => {
    let masked = text
    for (const form of forms) masked = masked.replaceAll(form, hidden)
    if (homeDirectory.length > 1) masked = masked.replaceAll(homeDirectory, '~')
    return masked
      .replaceAll(/(\w:\/\/)[^\s/@"\\]+@/g, `$1${hidden}@`)
      .replaceAll(/(bearer\s+)[\w.~+/-]{8,}=*/gi, `$1${hidden}`)
      .replaceAll(/[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b/gi, address => isPackage(address) ? address : hidden)
  }
}

/** `@linker/adapter-x` and `key.v1@1.0.0-rc` are no addresses. */
function isPackage (address: string): boolean {
  return /@\d+\.\d+/.test(address)
}

function formsOf (secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [
    secret,
    encodeURIComponent(secret),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    JSON.stringify(secret).slice(1, -1)
  ]
}

const secretVariable = /SECRET|TOKEN|KEY|PASSWORD/
// Some variables hold several keys, each behind its id.
const severalKeys = 'LINKER_CREDENTIALS_KEY'

/** Returns the values of the environment that no report may have. */
export function secretsOf (environment: NodeJS.ProcessEnv): string[] {
  return Object.entries(environment).flatMap(([name, value = '']) => {
    if (name === severalKeys) return value.split(',').map(part => part.slice(part.indexOf(':') + 1).trim())
    return secretVariable.test(name) ? [value] : passwordOf(value)
  })
}

/** The passwords in an address of servers. */
function passwordOf (value: string): string[] {
  // Only the first host stays: an address with several is no URL. A password may have a comma.
  const address = value.replace(/^([^/]*\/\/(?:[^/?#]*@)?[^/?#,@]*),[^/?#@]*(?=[/?#]|$)/, '$1')
  if (!URL.canParse(address)) return []
  const { password, searchParams } = new URL(address)
  const passwords = [password, ...[...searchParams].flatMap(([name, text]) => /password/i.test(name) ? text : [])]
  return passwords.filter(text => text !== '').flatMap(text => [text, ...decoded(text)])
}

/** Decodes a text, unless a `%` encodes no character: other programs may take it as it is. */
function decoded (text: string): string[] {
  try {
    return [decodeURIComponent(text)]
  } catch {
    return []
  }
}
