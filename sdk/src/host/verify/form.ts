import type {
  WebhookBasic,
  WebhookBearer,
  WebhookFunction,
  WebhookHmac,
  WebhookJwt,
  WebhookPair,
  WebhookQueryToken,
  WebhookSecretForm,
  WebhookSignaturePlace,
  WebhookSignedPart,
  WebhookTimestamp
} from '../../webhooks.ts'
import { aFunction, isObject, list, membersOf, must, object, oneOf, optional, type Look } from '../look.ts'
import { headerName, matching } from '../webhook-words.ts'

const leastSkewMs = 1_000
const mostSkewMs = 86_400_000

const visible = matching(/^[\x20-\x7e]{1,100}$/, 'a text of 1 to 100 ASCII characters')
const word = matching(/^[A-Za-z0-9-]{1,50}$/, 'a word of letters, digits and dashes')
const skew = must(
  `a whole number of milliseconds from ${leastSkewMs} to ${mostSkewMs}`,
  value => Number.isInteger(value) && Number(value) >= leastSkewMs && Number(value) <= mostSkewMs
)
const encoding = oneOf('hex', 'base64', 'base64url')

const pair = both(
  membersOf<WebhookPair>({
    name: matching(/^[\x21-\x7e]{1,100}$/, 'a text of 1 to 100 visible ASCII characters'),
    separator: optional(oneOf(',', ';', '|', '&', ' ')),
    assignment: optional(oneOf('=', ':', ','))
  }),
  (value, path) => {
    const { name, separator = ',', assignment = '=' } = value as WebhookPair
    if (separator === assignment) return [`its ${path} has the same separator and assignment`]
    return name.includes(separator) || name.includes(assignment)
      ? [`its ${path}.name '${name}' contains the separator or the assignment, so the hub would never find it`]
      : []
  }
)

const signature = both(
  membersOf<WebhookSignaturePlace>({
    header: headerName,
    pair: optional(pair),
    // Blanks before the value of a header never arrive, and the hub drops those of a pair.
    prefix: optional(matching(
      /^[\x21-\x7e][\x20-\x7e]{0,99}$/,
      'a text of 1 to 100 ASCII characters that begins with no blank'
    ))
  }),
  (value, path) => {
    const { pair: of, prefix = '' } = value as WebhookSignaturePlace
    return of !== undefined && prefix.includes(of.separator ?? ',')
      ? [`its ${path}.prefix contains the separator of the pair, so the hub would never find it`]
      : []
  }
)

const timestamp = membersOf<WebhookTimestamp>({
  header: headerName,
  pair: optional(pair),
  unit: oneOf('s', 'ms', 'iso'),
  skewMs: optional(skew)
})

const secret = membersOf<WebhookSecretForm>({
  encoding: optional(oneOf('text', 'base64', 'base64url', 'hex')),
  prefix: optional(visible)
})

const namedParts = ['body', 'timestamp', 'method', 'url']
const textPart = membersOf<{ text: string }>({
  text: must('a text of 1 to 200 characters', value => typeof value === 'string' && /^[^]{1,200}$/.test(value))
})
const headerPart = membersOf<{ header: string }>({ header: headerName })

const signedPart: Look = (value, path) => {
  if (!isObject(value)) return oneOf(...namedParts, '{ text }', '{ header }')(value, path)
  return Object.hasOwn(value, 'header') ? headerPart(value, path) : textPart(value, path)
}

const signed: Look = (value, path) =>
  Array.isArray(value)
    ? value.flatMap((part: unknown, index) => signedPart(part, `${path}[${index}]`))
    : list(value, path)

const hmac = both(
  membersOf<WebhookHmac>({
    kind: oneOf('hmac'),
    algorithm: oneOf('sha1', 'sha256', 'sha512'),
    encoding,
    signature,
    signed,
    timestamp: optional(timestamp),
    secret: optional(secret)
  }),
  (value, path) => hmacConflicts(value as WebhookHmac, path)
)

const kinds: ReadonlyMap<unknown, Look> = new Map([
  ['hmac', hmac],
  ['bearer', membersOf<WebhookBearer>({ kind: oneOf('bearer'), header: headerName, word: optional(word) })],
  [
    'basic',
    membersOf<WebhookBasic>({
      kind: oneOf('basic'),
      user: optional(matching(/^[^:\p{Cc}]{1,200}$/u, 'a text of 1 to 200 characters without a colon'))
    })
  ],
  [
    'query',
    membersOf<WebhookQueryToken>({
      kind: oneOf('query'),
      parameter: matching(/^[A-Za-z0-9._-]{1,100}$/, 'a name of letters, digits, dashes, dots and underscores')
    })
  ],
  [
    'jwt',
    membersOf<WebhookJwt>({
      kind: oneOf('jwt'),
      header: headerName,
      word: optional(word),
      skewMs: optional(skew),
      bodyHash: optional(membersOf<NonNullable<WebhookJwt['bodyHash']>>({
        claim: visible,
        algorithm: oneOf('sha256', 'sha512'),
        encoding
      })),
      secret: optional(secret)
    })
  ],
  ['function', membersOf<WebhookFunction>({ kind: oneOf('function'), isGenuine: aFunction })]
])

const kindNames = [...kinds.keys()].map(String)

/** Lists the faults of `webhooks.verify`: a declaration without faults can work. */
export const verification: Look = (value, path) => {
  if (!isObject(value)) return object(value, path)
  const kind: unknown = Reflect.get(value, 'kind')
  return kinds.get(kind)?.(value, path) ?? oneOf(...kindNames)(kind, `${path}.kind`)
}

function hmacConflicts (declared: WebhookHmac, path: string): string[] {
  const { signature: { header, pair: of }, signed: parts, timestamp: at } = declared
  const isSelfSigned = (part: WebhookSignedPart): boolean =>
    typeof part === 'object' && 'header' in part && isSameHeader(part.header, header)
  return [
    ...parts.includes('body')
      ? []
      : [`its ${path}.signed lacks 'body': anybody could change a body that is not signed`],
    ...parts.flatMap((part, index) =>
      isSelfSigned(part)
        ? [`its ${path}.signed[${index}] is the header of the signature, which cannot sign itself`]
        : []
    ),
    ...at === undefined && parts.includes('timestamp')
      ? [`its ${path}.timestamp is missing: signed names 'timestamp', and the hub does not know where it is`]
      : [],
    ...at !== undefined && !parts.includes('timestamp')
      ? [`its ${path}.signed lacks 'timestamp': anybody could change a time that is not signed`]
      : [],
    ...at !== undefined && isSameHeader(at.header, header) && (of === undefined || at.pair === undefined)
      ? [`its ${path}.timestamp is in the header of the signature: give both a pair`]
      : [],
    ...at !== undefined && isSameHeader(at.header, header) && of !== undefined && at.pair?.name === of.name
      ? [`its ${path}.timestamp has the header and the pair of the signature: their names must differ`]
      : []
  ]
}

function isSameHeader (one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** Looks for conflicts only in a value of the right form. */
function both (form: Look, conflicts: Look): Look {
  return (value, path) => {
    const faults = form(value, path)
    return faults.length > 0 ? faults : conflicts(value, path)
  }
}
