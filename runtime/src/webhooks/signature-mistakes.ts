import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto'

/** A delivery whose signature no secret of the connection makes. */
interface Mismatch {
  timestamp: string
  rawBody: Buffer
  /** `sha256=` and 64 hex digits. */
  signature: string
}

type Part = string | Buffer

interface Mistake {
  said: string
  signed(timestamp: string, body: Buffer): readonly Part[]
}

const signRight = 'sign X-Linker-Timestamp, a dot and the body'
const mistakes: readonly Mistake[] = [
  { said: `the body alone was signed: ${signRight}`, signed: (_timestamp, body) => [body] },
  { said: `the dot was left out: ${signRight}`, signed: (timestamp, body) => [timestamp, body] },
  { said: `the body was signed before the timestamp: ${signRight}`, signed: (time, body) => [body, '.', time] },
  { said: 'a line break after the body was signed, and not sent', signed: (time, body) => [time, '.', body, '\n'] },
  {
    said: 'the time was signed in seconds: sign it as X-Linker-Timestamp has it',
    signed: (timestamp, body) => [timestamp.slice(0, -3), '.', body]
  }
]

/** A larger body is not tried: a forger must not make the hub sign it several times. */
const mostBytes = 16_384

/**
 * Says which common mistake made a signature. Undefined: none that is known. A sender without the
 * secret learns nothing: the signature fits only if the sender has signed with it.
 */
export function explainMismatch (
  { timestamp, rawBody, signature }: Mismatch,
  keys: readonly KeyObject[]
): string | undefined {
  if (rawBody.length > mostBytes) return undefined
  const given = Buffer.from(signature.slice('sha256='.length), 'hex')
  const fits = (key: KeyObject | Buffer, parts: readonly Part[]): boolean => {
    const hmac = createHmac('sha256', key)
    for (const part of parts) hmac.update(part)
    return timingSafeEqual(hmac.digest(), given)
  }
  for (const key of keys) {
    const mistake = mistakes.find(({ signed }) => fits(key, signed(timestamp, rawBody)))
    if (mistake !== undefined) return `the secret fits, but ${mistake.said}`
    const secret = key.export()
    const right = [timestamp, '.', rawBody]
    if (fits(Buffer.concat([secret, Buffer.from('\n')]), right)) {
      return 'the secret of the sender ends with a line break: remove it'
    }
    if (decodedForms(secret.toString()).some(decoded => fits(decoded, right))) {
      return 'the sender has decoded the secret: use its text as it is'
    }
  }
  return undefined
}

/**
 * The bytes that the secret would be if it were decoded: 16 or more. Node decodes other texts to
 * few bytes or none. A forger could guess those, and so learn how the secret begins.
 */
function decodedForms (secret: string): Buffer[] {
  return [
    ...(/^(?:[0-9a-f]{2}){16,}$/i.test(secret) ? [Buffer.from(secret, 'hex')] : []),
    ...(/^[\w+/-]{22,}={0,2}$/.test(secret) ? [Buffer.from(secret, 'base64')] : [])
  ]
}
