import { createHash, createHmac, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { WebhookAnswerText, WebhookChallenge, WebhookChallengePlace } from '../webhooks.ts'
import type { DescribedVerification } from './describe.ts'
import { valueAt } from './pointer.ts'
import { WebhookRefusal } from './verify/received.ts'
import { createKeys } from './verify/secret.ts'
import { answerText, isProvedChallenge } from './webhook-challenges.ts'

/** A request that may be a challenge. */
export interface ReceivedChallenge {
  method: string
  /** Names and values in turn. */
  rawHeaders: readonly string[]
  /** Without its `?`. */
  query: string
  /** Reads the body. Undefined: it is neither JSON nor a form that the platform declares. */
  readBody(): unknown
}

/** The facts about the connection that an answer may need. */
export interface ChallengedConnection {
  verify: DescribedVerification | undefined
  /** Its newest secret, which signs. Undefined: it has none, or the hub cannot read it. */
  secret: KeyObject | undefined
  /** Returns a member of its config. */
  configOf(member: string): unknown
}

/** The answer to a challenge. `body` is JSON if `isJson`, else plain text. */
export interface ChallengeAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body?: string
  isJson: boolean
}

/** The texts that the hub signs for a challenge: no JSON object consists of these characters. */
const signedText = /^[A-Za-z0-9+/=_.~-]{1,256}$/

/**
 * Returns the first challenge whose conditions hold, of those that the platform proves or of the
 * others.
 */
export function findChallenge (
  declared: readonly WebhookChallenge[],
  received: ReceivedChallenge,
  isProved: boolean
): WebhookChallenge | undefined {
  return declared.find(challenge =>
    challenge.method === received.method &&
    isProvedChallenge(challenge) === isProved &&
    challenge.when.every(({ equals, ...at }) => {
      const value = valueIn(received, at)
      return value !== undefined && (equals === undefined || value === equals)
    })
  )
}

/**
 * Makes the answer to a challenge. Throws `WebhookRefusal` when a value is missing or cannot be
 * sent back, when the token is wrong, or when a secret or the token is not set.
 */
export function answerChallenge (
  { token, answer }: WebhookChallenge,
  received: ReceivedChallenge,
  connection: ChallengedConnection
): ChallengeAnswer {
  if (token !== undefined) refuseOtherToken(valueIn(received, token.at), connection.configOf(token.config))
  const textOf = (part: WebhookAnswerText): string => writeText(part, received, connection)
  const { status = 200, text, json, headers = {} } = answer
  const all = (parts: Readonly<Record<string, WebhookAnswerText>>): Record<string, string> =>
    Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, textOf(part)]))
  return {
    status,
    headers: all(headers),
    ...text !== undefined && { body: textOf(text) },
    ...json !== undefined && { body: JSON.stringify(all(json)) },
    isJson: json !== undefined
  }
}

function refuseOtherToken (given: string | undefined, expected: unknown): void {
  if (typeof expected !== 'string' || expected === '') {
    throw new WebhookRefusal('address', 'The config of the connection has no token for the challenge')
  }
  // Hashes have one length, so the time taken does not tell the length of the token.
  if (!timingSafeEqual(hash(given ?? ''), hash(expected))) {
    throw new WebhookRefusal('mismatch', 'The token of the challenge is missing or is not that of this connection')
  }
}

function hash (text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function writeText (
  part: WebhookAnswerText,
  received: ReceivedChallenge,
  { verify, secret }: ChallengedConnection
): string {
  if ('text' in part) return part.text
  if (!('hmac' in part)) return valueFor(received, part, answerText, '1 to 1024 printable ASCII characters')
  const { of, algorithm, encoding, prefix = '' } = part.hmac
  const value = valueFor(received, of, signedText, '1 to 256 letters, digits and +/=_.~-')
  const form = verify?.kind === 'hmac' || verify?.kind === 'jwt' ? verify.secret : undefined
  const [key] = createKeys(form)(secret === undefined ? [] : [secret])
  if (key === undefined) throw new WebhookRefusal('secret', 'No webhook secret is set for this connection')
  return prefix + createHmac(algorithm, key).update(value).digest(encoding)
}

function valueFor (received: ReceivedChallenge, at: WebhookChallengePlace, allowed: RegExp, words: string): string {
  const value = valueIn(received, at)
  if (value === undefined || !allowed.test(value)) {
    throw new WebhookRefusal('malformed', `${describePlace(at)} of the challenge must be ${words}, given once`)
  }
  return value
}

function describePlace (at: WebhookChallengePlace): string {
  if ('header' in at) return `Header ${at.header}`
  return 'query' in at ? `The query parameter ${at.query}` : `The value at ${at.body}`
}

function valueIn (
  { rawHeaders, query, readBody }: ReceivedChallenge,
  at: WebhookChallengePlace
): string | undefined {
  if ('header' in at) {
    const wanted = at.header.toLowerCase()
    return only(rawHeaders.filter((_value, index) =>
      index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === wanted
    ))
  }
  if ('query' in at) return only(new URLSearchParams(query).getAll(at.query))
  const value = valueAt(readBody(), at.body)
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A value that came twice is none: nobody can say which one is meant. */
function only (values: readonly string[]): string | undefined {
  return values.length === 1 && values[0] !== '' ? values[0] : undefined
}
