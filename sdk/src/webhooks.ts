/**
 * The settings that a platform needs to send its webhooks. `callbackUrl` is an address of the hub
 * for this one connection. The hub makes `secret` in the form that `verify` declares.
 */
export interface WebhookInstallation {
  callbackUrl: string
  secret: string
}

/**
 * Locates the data that the hub needs in a body of the platform's own form. Members are JSON
 * pointers (RFC 6901). An event has the id that the member `eventId` of the body names, and else
 * one as in `WebhookSource.eventId`. A body with `schemaVersion` is in the hub's own form.
 */
export interface WebhookBodyForm {
  /** The type of every event in this form, `{category}.{action}`. */
  eventType: string
  objectType: string
  /** The pointer to the object's external id. The hub answers 400 to a delivery without one. */
  externalId: string
  /**
   * The pointers to the time of the event; the hub uses the first one present. Default: the time of
   * arrival.
   */
  occurredAt?: readonly string[]
}

/**
 * One named value of a header that holds several, such as `t=1700000000,v1=5257…`. The hub ignores
 * blanks around a value.
 */
export interface WebhookPair {
  /** The name before the value, such as `v1`. The hub compares it exactly. */
  name: string
  /** The character between two values. Default: `,`. */
  separator?: ',' | ';' | '|' | '&' | ' '
  /** The character between a name and its value. Default: `=`. */
  assignment?: '=' | ':' | ','
}

/**
 * The place of a signature: the whole value of a header, or a named value in it. The hub answers
 * 400 when the header is missing or comes twice, and when the value has another form.
 */
export interface WebhookSignaturePlace {
  /** The name of the header, in any case. */
  header: string
  /**
   * If present, the header holds several values, and those of this name are signatures. One that
   * matches is enough: platforms send two while a secret is replaced.
   */
  pair?: WebhookPair
  /** A text before the signature that is no part of it, such as `sha256=`. */
  prefix?: string
}

/**
 * The time at which a delivery was signed. The hub answers 401 when it differs from the hub's clock
 * by more than `skewMs`, and 400 when the header is missing or has another form.
 */
export interface WebhookTimestamp {
  header: string
  /** If present, the header holds several values. The one of this name must be there once. */
  pair?: WebhookPair
  /** `s` and `ms`: Unix time in digits. `iso`: ISO 8601 with date, time and offset. */
  unit: 's' | 'ms' | 'iso'
  /**
   * The largest difference allowed, in milliseconds from 1 000 to 86 400 000. Default: the setting
   * `LINKER_WEBHOOK_SKEW_MS` of the operator, 5 minutes.
   */
  skewMs?: number
}

/**
 * A part of the signed text. `body` is the bytes as they arrived, `timestamp` the text of the
 * timestamp as it arrived, `method` the HTTP method in upper case. `url` is the address that the
 * platform was given: `callbackBaseUrl` of the connection's config with the path of the
 * connection's webhooks, and the query of the request. A header must come exactly once. Parts have
 * nothing between them, as in the schemes of many platforms: whoever reads a delivery can move
 * characters from the end of one variable part to the next one and keep the signature. Only a
 * `text` between them that neither contains prevents it, so write one if the platform signs one.
 */
export type WebhookSignedPart = 'body' | 'timestamp' | 'method' | 'url' | { text: string } | { header: string }

/** The bytes of a key, as the platform shows them in a text. */
export interface WebhookSecretForm {
  /** The hub decodes the secret. `text`, the default: the UTF-8 bytes of the text are the key. */
  encoding?: 'text' | 'base64' | 'base64url' | 'hex'
  /** A text before the secret that is no part of the key, such as `whsec_`. It may be missing. */
  prefix?: string
}

/**
 * The platform signs its deliveries with HMAC. The hub computes the signature over the parts of
 * `signed` in their order, with nothing between them, before it parses anything.
 */
export interface WebhookHmac {
  kind: 'hmac'
  /** Choose `sha1` only if the platform has nothing else. */
  algorithm: 'sha1' | 'sha256' | 'sha512'
  /**
   * How the signature is written. The hub accepts both cases of `hex`, and `base64` and `base64url`
   * with and without padding.
   */
  encoding: 'hex' | 'base64' | 'base64url'
  signature: WebhookSignaturePlace
  /** The hub does not load an adapter whose platform does not sign the body. */
  signed: readonly WebhookSignedPart[]
  /**
   * If present, `timestamp` must be a part of `signed`: anybody could change a time that is not
   * signed. Without it the hub accepts an old delivery again: one whose event has an id after the 7
   * days for which the hub remembers events, any other at any time.
   */
  timestamp?: WebhookTimestamp
  secret?: WebhookSecretForm
}

/**
 * The platform sends the secret itself in a header. It proves nothing about the body, so anybody
 * who reads one delivery can send others. The hub answers 401 to a wrong or missing secret.
 */
export interface WebhookBearer {
  kind: 'bearer'
  /** The name of the header, such as `authorization` or `x-feed-token`. */
  header: string
  /** The word before the secret, such as `Bearer`, in any case. Default: none. */
  word?: string
}

/**
 * The platform sends the secret as the password of HTTP Basic (RFC 7617). The hub answers 401 when
 * user or password is wrong or missing.
 */
export interface WebhookBasic {
  kind: 'basic'
  /** Default: the secret is `user:password`, as the operator enters it. */
  user?: string
}

/**
 * The platform cannot send headers, so the address of its webhooks carries the secret, as in
 * `…?token=secret`. `install` appends the parameter to `callbackUrl`. The hub never logs queries;
 * proxies before the hub often do. Use it only if the platform has nothing else.
 */
export interface WebhookQueryToken {
  kind: 'query'
  /** The name of the parameter: letters, digits, `-`, `.` and `_`. */
  parameter: string
}

/**
 * The platform sends a JSON Web Token (RFC 7519) signed with the secret, by HS256 only. The hub
 * refuses other algorithms, `none` and tokens with `crit`. It checks `exp`, `nbf` and `iat` with
 * the clocks `skewMs` apart, and answers 401 to a token that has neither `exp` nor `iat`. Without
 * `exp`, a token is valid for `skewMs` after `iat`. The hub remembers events for 7 days, so it
 * accepts an old delivery again after that if the `exp` of its token is still ahead.
 */
export interface WebhookJwt {
  kind: 'jwt'
  /** The name of the header, such as `authorization`. */
  header: string
  /** The word before the token, such as `Bearer`, in any case. Default: none. */
  word?: string
  /** As in `WebhookTimestamp`. */
  skewMs?: number
  /**
   * The claim with a hash of the raw body. Without it the token does not protect the body, and
   * anybody who reads one delivery can send others until its token expires.
   */
  bodyHash?: { claim: string, algorithm: 'sha256' | 'sha512', encoding: 'hex' | 'base64' | 'base64url' }
  secret?: WebhookSecretForm
}

/**
 * Says how the platform proves its deliveries. It is data, not code: the hub keeps it with each
 * connection and verifies deliveries even while the adapter is not loaded. The hub tries every
 * secret of the connection and compares in constant time. It does not load an adapter with a
 * declaration that cannot work.
 */
export type WebhookVerification = WebhookHmac | WebhookBearer | WebhookBasic | WebhookQueryToken | WebhookJwt

/** A delivery that nobody has proved yet. Plain data, and a copy. */
export interface WebhookDelivery {
  /** The bytes of the body as they arrived. */
  rawBody: Uint8Array
  /** The values by their names in lower case. A comma and a blank join those of one name. */
  headers: Readonly<Record<string, string>>
  /** Without its `?`. */
  query: string
  method: string
  /**
   * The address that the platform was given, without a query. Undefined: the connection's config
   * has none.
   */
  callbackUrl?: string | undefined
  /** The secrets of the connection as the operator knows them. There may be none. */
  secrets: readonly string[]
}

/**
 * A function of the adapter verifies deliveries: the last resort, for a platform whose way cannot
 * be declared as data, such as one that signs with a public key. It runs in a thread that has
 * nothing but the adapter's module: no client, no `init`, and no HTTP, values or log of the hub.
 * Compare with `timingSafeEqual`, and refuse old deliveries if the platform signs a time.
 *
 * The hub answers 401 after `false`. It answers 503, so that the platform sends again, when the
 * function throws, answers anything but true or false or takes longer than 250 ms, and while this
 * version of the adapter is not loaded. It cannot test such webhooks itself after an install.
 */
export interface WebhookFunction {
  kind: 'function'
  isGenuine(delivery: WebhookDelivery): boolean | Promise<boolean>
}

/**
 * How the hub authenticates deliveries. `scheme` means the hub's own headers: `hmac` is
 * `X-Linker-Signature` over `X-Linker-Timestamp` and the body, `bearer` the secret in
 * `Authorization`. `verify` describes the platform's own way.
 */
export type WebhookAuthentication =
  | { scheme: 'hmac' | 'bearer', verify?: never }
  | { scheme?: never, verify: WebhookVerification | WebhookFunction }

/**
 * A place in a delivery. `body` is a JSON pointer (RFC 6901) into the body, `item` one into the
 * entry of `list`; a form is an object of texts. `text` is a fixed value. Not every platform signs
 * its headers and its query: whoever reads one delivery can then change them and send it again.
 */
export type WebhookPlace = { header: string } | { query: string } | { body: string } | { item: string } | {
  text: string
}

/** One place, or several of which the hub uses the first with a value. */
export type WebhookPlaces = WebhookPlace | readonly WebhookPlace[]

/**
 * Says where a delivery of the platform holds its events. It is data, not code: the hub keeps it
 * with each connection and reads deliveries even while the adapter is not loaded. A body in the
 * hub's own form, with `schemaVersion`, `eventType` and `object`, is still accepted.
 */
export interface WebhookSource {
  /**
   * The content types that the platform sends besides `application/json` and `application/…+json`:
   * `form` is `application/x-www-form-urlencoded`, `text` is `text/plain`. The hub answers 400 to
   * others.
   */
  content?: readonly ('form' | 'text')[]
  /**
   * The largest body that the platform sends, in bytes; default 262 144. The hub answers 413 to a
   * larger one, and to one above `LINKER_WEBHOOK_MOST_BYTES`, which the operator can raise from
   * 262 144 to 10 485 760.
   */
  mostBytes?: number
  /**
   * The pointer to a list with one event in each entry, at most 500; the empty pointer is the whole
   * body. The hub publishes all of them in one step or none. Default: the body is one event.
   */
  list?: string
  /** The platform's name of the event. The hub answers 400 to a delivery without it. */
  topic: WebhookPlaces
  /**
   * Topic → event type, `{category}.{action}`. The hub accepts any other topic and starts no job
   * for it. When a later version maps the topic, a replay starts its job. Map the platform's tests
   * to `test.…`: they start no job either. `null` says that nobody wants the topic: the hub accepts
   * its events, keeps none and reports none. Default: a topic is the event type.
   */
  eventTypes?: Readonly<Record<string, string | null>>
  /** Default: the event type up to its first dot. */
  objectType?: WebhookPlaces
  /**
   * The id of the object, a text or a whole number. The hub answers
   * 400 to an event without one, unless it starts no job.
   */
  externalId: WebhookPlaces
  /**
   * The id of the event, the same in each attempt to deliver it. In a `list`, the hub appends the
   * position of the entry to an id that is not from the entry. Default, and when a delivery has
   * none: the hub makes one. It then knows a delivery as a repetition only by equal bytes and an
   * equal time of signing (`hmac` with `timestamp`, `jwt` with `bodyHash`, or the hub's own
   * headers). Without a signed time it looks at the object again for each delivery.
   */
  eventId?: WebhookPlaces
  /**
   * The time of the event: `s` and `ms` are Unix time, `iso` is ISO 8601, in UTC if it has no
   * offset. Default, and when a delivery has none of this form: the time of arrival.
   */
  occurredAt?: { at: WebhookPlaces, unit: 's' | 'ms' | 'iso' }
}

/**
 * A place in a challenge: a header, a parameter of the query, or a JSON pointer into the body. The
 * hub reads a body as JSON, or as a form if `source.content` allows forms. A value that comes twice
 * is none.
 */
export type WebhookChallengePlace = { header: string } | { query: string } | { body: string }

/** Holds when the place has a value, and with `equals` only when it has this one. */
export type WebhookChallengeCondition = WebhookChallengePlace & { equals?: string }

/**
 * The HMAC of a value of the challenge, with the newest secret of the connection in the form that
 * `verify` declares. Somebody else than the platform may have chosen the value, so the hub signs
 * only 1 to 256 letters, digits and `+/=_.~-`: no JSON object consists of these. It answers 400 to
 * any other value. It does not load an adapter where such a signature could prove a delivery, such
 * as one with `jwt`, unless `of` and all of `when` are in a body that `verify` protects.
 */
export interface WebhookAnswerHmac {
  of: WebhookChallengePlace
  algorithm: 'sha1' | 'sha256' | 'sha512'
  encoding: 'hex' | 'base64' | 'base64url'
  /** A text before it, such as `sha256=`. */
  prefix?: string
}

/**
 * A text of an answer: a fixed one, a value of the challenge, or an HMAC. The hub answers 400 when
 * the value is missing, or is not 1 to 1024 printable ASCII characters.
 */
export type WebhookAnswerText = { text: string } | WebhookChallengePlace | { hmac: WebhookAnswerHmac }

/** The answer to a challenge. It has a text or JSON, or no body. */
export interface WebhookChallengeAnswer {
  /** Default: 200. */
  status?: 200 | 201 | 202 | 204
  /** The hub sends it as `text/plain`, never as HTML. */
  text?: WebhookAnswerText
  /** The members of an object, which the hub sends as JSON. */
  json?: Readonly<Record<string, WebhookAnswerText>>
  /**
   * Further headers. Their names begin with `X-` or `Webhook-`, or end with `-Token`, `-Secret` or
   * `-Challenge`.
   */
  headers?: Readonly<Record<string, WebhookAnswerText>>
}

/**
 * A request by which the platform checks the address of the webhooks, and the answer that it
 * expects. It is data, not code: the hub answers even while the adapter is not loaded. It publishes
 * no event, and keeps nothing of the request. Unknown and disabled connections get 404, and so does
 * a GET or OPTIONS that no challenge describes. A POST that none describes is a delivery.
 */
export interface WebhookChallenge {
  method: 'GET' | 'POST' | 'OPTIONS'
  /**
   * All of them must hold. The hub uses the first challenge that is not proved and whose conditions
   * hold. If there is none, it proves the request and uses the first of the others.
   */
  when: readonly WebhookChallengeCondition[]
  /**
   * Whether the platform proves it as a delivery; the hub then answers only after that. Default:
   * yes for a POST, no for others.
   */
  isProved?: boolean
  /**
   * A value that must equal the text `config` of the connection's config, such as the verify token
   * that the operator entered at the platform. The hub answers 401 to another value, and 503 while
   * the config has none.
   */
  token?: { at: WebhookChallengePlace, config: string }
  answer: WebhookChallengeAnswer
}

/**
 * The answer to an accepted delivery, for a platform that takes no other. The headers stay those of
 * the hub.
 */
export interface WebhookAccepted {
  status: 200 | 201 | 202 | 204
  /** A fixed text, which the hub sends as `text/plain`. Default: no body. */
  text?: string
}
