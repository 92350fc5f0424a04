import type {
  WebhookAccepted,
  WebhookAnswerHmac,
  WebhookAnswerText,
  WebhookChallenge,
  WebhookChallengeAnswer,
  WebhookChallengeCondition,
  WebhookChallengePlace,
  WebhookFunction,
  WebhookSource,
  WebhookVerification
} from '../webhooks.ts'
import { boolean, isObject, list, membersOf, must, object, oneOf, optional, type Look } from './look.ts'
import { listOfPlaces, pointer } from './webhook-source.ts'
import { headerName, matching } from './webhook-words.ts'

const mostChallenges = 10
const mostMembers = 20
const statuses: readonly unknown[] = [200, 201, 202, 204]

/** The texts that the hub sends in an answer. */
export const answerText = /^[\x20-\x7e]{1,1024}$/

const status = must('200, 201, 202 or 204', value => statuses.includes(value))
const fixedText = matching(answerText, 'a text of 1 to 1024 printable ASCII characters')
const shortText = matching(/^[^]{1,200}$/, 'a text of 1 to 200 characters')
const memberName = /^(?!__proto__$)[\x21-\x7e]{1,100}$/

// Other headers tell browsers and proxies what to do.
const answerHeader = /^(?:(?:x|webhook)-[\w-]{1,90}|[\w-]{1,90}-(?:token|secret|challenge))$/i
const reservedHeader =
  /^x-(?:accel-|content-type-options$|frame-options$|lighttpd-|litespeed-|linker-|reproxy-|request-id$|sendfile|xss-)/i

const credentialHeaders: readonly unknown[] = ['authorization', 'cookie', 'proxy-authorization']

const places: ReadonlyMap<string, Look> = new Map([['header', headerName], ['query', shortText], ['body', pointer]])

/** Looks at an object with one of the members, and maybe further ones. */
function oneOfThem (looks: ReadonlyMap<string, Look>, more: ReadonlyMap<string, Look> = new Map()): Look {
  return (value, path) => {
    const members = isObject(value) ? Object.entries(value) : []
    const named = members.filter(([name]) => !more.has(name))
    const [[name, member] = ['', undefined], ...others] = named
    const look = looks.get(name)
    if (look === undefined || others.length > 0) {
      return must(`an object with one of ${[...looks.keys()].join(', ')}`, () => false)(value, path)
    }
    return [
      ...look(member, `${path}.${name}`),
      ...[...more].flatMap(([extra, lookAt]) => lookAt(Reflect.get(Object(value), extra), `${path}.${extra}`))
    ]
  }
}

const place = oneOfThem(places)
const condition = oneOfThem(places, new Map([['equals', optional(fixedText)]]))

const hmac = membersOf<WebhookAnswerHmac>({
  of: place,
  algorithm: oneOf('sha1', 'sha256', 'sha512'),
  encoding: oneOf('hex', 'base64', 'base64url'),
  prefix: optional(matching(/^[\x21-\x7e]{1,100}$/, 'a text of 1 to 100 visible ASCII characters'))
})

const texts = oneOfThem(new Map([['text', fixedText], ...places, ['hmac', hmac]]))

const text: Look = (value, path) => {
  const header: unknown = isObject(value) ? Reflect.get(value, 'header') : undefined
  return typeof header === 'string' && credentialHeaders.includes(header.toLowerCase())
    ? [`its ${path}.header is '${header}': the hub does not send credentials back`]
    : texts(value, path)
}

function textsBy (isName: (name: string) => boolean, allowed: string): Look {
  return (value, path) => {
    if (!isObject(value)) return object(value, path)
    const names = Object.keys(value)
    if (names.length === 0 || names.length > mostMembers) return [`its ${path} has not 1 to ${mostMembers} members`]
    return Object.entries(value).flatMap(([name, member]) =>
      isName(name) ? text(member, `${path}['${name}']`) : [`its ${path} names '${name.slice(0, 80)}': ${allowed}`]
    )
  }
}

const headerTexts = textsBy(
  name => answerHeader.test(name) && !reservedHeader.test(name),
  'a header that begins with X- or Webhook- or ends with -Token, -Secret or -Challenge, and has no meaning for ' +
    'proxies and browsers, is allowed'
)

/** The names of headers have no case, so the hub would send only one of the two. */
const headersTwice: Look = (value, path) => {
  const names = isObject(value) ? Object.keys(value) : []
  const lower = names.map(name => name.toLowerCase())
  return names.flatMap((name, index) => {
    const first = lower.indexOf(name.toLowerCase())
    return first < index ? [`its ${path} names '${name}' and '${names[first]}', which are one header`] : []
  })
}

const answerMembers = membersOf<WebhookChallengeAnswer>({
  status: optional(status),
  text: optional(text),
  json: optional(textsBy(name => memberName.test(name), 'a name of 1 to 100 visible ASCII characters is allowed')),
  headers: optional((value, path) => [...headerTexts(value, path), ...headersTwice(value, path)])
})

const answer: Look = (value, path) => {
  const faults = answerMembers(value, path)
  if (faults.length > 0) return faults
  const { status: code, text: plain, json } = value as WebhookChallengeAnswer
  if (plain !== undefined && json !== undefined) return [`its ${path} has both text and json: keep one of them`]
  return code === 204 && (plain !== undefined || json !== undefined)
    ? [`its ${path} has a body, and an answer 204 has none`]
    : []
}

const challengeMembers = membersOf<WebhookChallenge>({
  method: oneOf('GET', 'POST', 'OPTIONS'),
  when: (value, path) =>
    Array.isArray(value) && value.length > 0 && value.length <= mostMembers
      ? value.flatMap((item: unknown, index) => condition(item, `${path}[${index}]`))
      : must(`a list of 1 to ${mostMembers} conditions`, () => false)(value, path),
  isProved: optional(boolean),
  token: optional(membersOf<NonNullable<WebhookChallenge['token']>>({ at: place, config: shortText })),
  answer
})

const challenge: Look = (value, path) => {
  const faults = challengeMembers(value, path)
  if (faults.length > 0) return faults
  const declared = value as WebhookChallenge
  return declared.method !== 'POST' && placesOf(declared).some(at => 'body' in at)
    ? [`its ${path} reads the body, and a request with ${declared.method} has none`]
    : []
}

/** Lists the faults of `webhooks.challenges`. */
export const webhookChallenges: Look = (value, path) => {
  if (!Array.isArray(value)) return list(value, path)
  if (value.length > mostChallenges) return [`its ${path} has ${value.length} entries: ${mostChallenges} are allowed`]
  const faults = value.flatMap((item: unknown, index) => challenge(item, `${path}[${index}]`))
  return faults.length > 0 ? faults : hidden(value as WebhookChallenge[], path)
}

/** Finds challenges that the hub never uses, because another one always comes first. */
function hidden (challenges: readonly WebhookChallenge[], path: string): string[] {
  return challenges.flatMap((declared, index) => {
    const first = challenges.findIndex((other, position) =>
      other !== declared &&
      other.method === declared.method &&
      comesFirst(other, declared, position < index) &&
      other.when.every(condition => declared.when.some(given => implies(given, condition)))
    )
    return first === -1
      ? []
      : [`its ${path}[${index}] is never used: ${path}[${first}] comes first, and its conditions hold as well`]
  })
}

/** The hub looks at the challenges that nobody proves first, then at the others, in their order. */
function comesFirst (other: WebhookChallenge, declared: WebhookChallenge, isEarlier: boolean): boolean {
  const isProved = isProvedChallenge(declared)
  return isProvedChallenge(other) === isProved ? isEarlier : isProved
}

/** Whether a condition holds in each request in which `given` holds. */
function implies (given: WebhookChallengeCondition, { equals, ...at }: WebhookChallengeCondition): boolean {
  const { equals: givenEquals, ...givenAt } = given
  return keyOf(at) === keyOf(givenAt) && (equals === undefined || equals === givenEquals)
}

function keyOf (at: WebhookChallengePlace): string {
  return JSON.stringify('header' in at ? { header: at.header.toLowerCase() } : at)
}

const acceptedMembers = membersOf<WebhookAccepted>({ status, text: optional(fixedText) })

/** Lists the faults of `webhooks.accepted`. */
export const webhookAccepted: Look = (value, path) => {
  const faults = acceptedMembers(value, path)
  if (faults.length > 0) return faults
  const { status: code, text: plain } = value as WebhookAccepted
  return code === 204 && plain !== undefined ? [`its ${path}.text is set, and an answer 204 has no body`] : []
}

/** Whether the platform proves a challenge. */
export function isProvedChallenge ({ isProved, method }: WebhookChallenge): boolean {
  return isProved ?? method === 'POST'
}

/** The parts of `webhooks` that say which signatures prove a delivery. */
interface Proofs {
  challenges?: readonly WebhookChallenge[]
  scheme?: 'hmac' | 'bearer'
  verify?: WebhookVerification | WebhookFunction
  source?: WebhookSource
}

/**
 * Finds the challenges by which somebody could make the hub sign the proof of a delivery. The other
 * parts of `webhooks` must be right.
 */
export function signingFaults (webhooks: Proofs, path: string): string[] {
  const { challenges = [], verify } = webhooks
  return challenges.flatMap((declared, index) => {
    const isOracle = hmacsOf(declared).some(({ of, algorithm }) =>
      provesDelivery(algorithm, webhooks) && !isChosenByPlatform(declared, of, verify)
    )
    return isOracle
      ? [
        `its ${path}.challenges[${index}] makes the hub sign a text that the platform may not have chosen, and such ` +
        'a signature could prove a delivery: read the text and all conditions from a body that verify protects' +
        (isReadAsDelivery(verify) ? ', or take topic or externalId from a JSON body' : '')
      ]
      : []
  })
}

/**
 * The hub signs no text with a brace, so such a signature proves no body whose events the hub reads
 * from a JSON object. A JSON Web Token consists of letters, digits, dots and dashes. A kind that is
 * not known here may accept any signature.
 */
function provesDelivery (algorithm: WebhookAnswerHmac['algorithm'], { scheme, verify, source }: Proofs): boolean {
  if (verify === undefined) return scheme !== 'bearer' && algorithm === 'sha256' && !needsObject(source)
  switch (verify.kind) {
    case 'bearer':
    case 'basic':
    case 'query':
      return false
    case 'jwt':
      return algorithm === 'sha256'
    case 'hmac':
      return verify.algorithm === algorithm && !needsObject(source)
    default:
      return true
  }
}

/** Whether the hub reads the events from the bytes that are signed. */
function isReadAsDelivery (verify: WebhookVerification | WebhookFunction | undefined): boolean {
  return verify === undefined || verify.kind === 'hmac'
}

/**
 * Whether the proof of a challenge covers the text to sign, and the conditions by which it is a
 * challenge. Somebody who has read one proved request could otherwise send it again with another
 * text, or make a challenge of it.
 */
function isChosenByPlatform (
  declared: WebhookChallenge,
  of: WebhookChallengePlace,
  verify: WebhookVerification | WebhookFunction | undefined
): boolean {
  return isProvedChallenge(declared) && protectsBody(verify) && [of, ...declared.when].every(at => 'body' in at)
}

function protectsBody (verify: WebhookVerification | WebhookFunction | undefined): boolean {
  return verify === undefined || verify.kind === 'hmac' || (verify.kind === 'jwt' && verify.bodyHash !== undefined)
}

function needsObject (source: WebhookSource | undefined): boolean {
  if (source === undefined) return true
  const { content = [], topic, externalId } = source
  return content.length === 0 &&
    [topic, externalId].some(of => listOfPlaces(of).every(at => 'item' in at || ('body' in at && at.body !== '')))
}

function hmacsOf ({ answer: declared }: WebhookChallenge): WebhookAnswerHmac[] {
  return textsOf(declared).flatMap(part => 'hmac' in part ? [part.hmac] : [])
}

/** All places that a challenge reads. */
function placesOf ({ when, token, answer: declared }: WebhookChallenge): WebhookChallengePlace[] {
  const sent = textsOf(declared).flatMap(part => {
    if ('hmac' in part) return [part.hmac.of]
    return 'text' in part ? [] : [part]
  })
  return [...when, ...token === undefined ? [] : [token.at], ...sent]
}

function textsOf ({ text: plain, json = {}, headers = {} }: WebhookChallengeAnswer): WebhookAnswerText[] {
  return [...plain === undefined ? [] : [plain], ...Object.values(json), ...Object.values(headers)]
}
