import { AdapterErrorCode } from '../../errors.ts'

const { rejected, notFound, authentication, configuration, rateLimited, transient, outcomeUnknown, unavailable } =
  AdapterErrorCode

/** The suite's platform gives this answer to every request. */
export type Answer =
  | { kind: 'answer', status: number, headers?: Readonly<Record<string, string>>, type: string, body: string }
  /** An answer that quotes the request, including its credentials. */
  | { kind: 'quote', status: number, headers?: Readonly<Record<string, string>> }
  | { kind: 'silent' | 'stalled' | 'endless' | 'reset' }

/** One way in which a platform misbehaves, and the reactions allowed to an adapter. */
export interface Scenario {
  /** The number in the ids of the checks: `L2-ERR-<number>`. */
  number: number
  name: string
  answer: Answer
  /** The codes that a call may reject with. */
  codes: readonly AdapterErrorCode[]
  /**
   * When a call may resolve: never; when its method has an answer for the status; when its answer
   * fits; or, only for writes, when its answer fits.
   */
  mayResolve: 'never' | 'mayBeDone' | 'mayBeNone' | 'fitting' | 'writes'
  /** The suite aborts the call as soon as its request has arrived. */
  isAborted?: true
  title: string
  prevents: string
}

const errorNames: ReadonlyMap<AdapterErrorCode, string> = new Map([
  [rejected, 'a RejectedError'],
  [notFound, 'a NotFoundError'],
  [authentication, 'an AuthenticationError'],
  [configuration, 'a ConfigurationError'],
  [transient, 'a TransientError'],
  [outcomeUnknown, 'an OutcomeUnknownError'],
  [unavailable, 'an UnavailableError']
])

const everyCode: readonly AdapterErrorCode[] = Object.values(AdapterErrorCode)
const passing = [transient, outcomeUnknown]

/** Longer than the client waits inside a call. */
export const retryAfterSeconds = 7

const page =
  '<!doctype html><html><head><title>Maintenance</title></head><body><h1>We will be back soon</h1></body></html>'
const json = 'application/json; charset=utf-8'

const unreadable = 'the adapter took the answer of a gateway, a parking page or half an answer for data, ' +
  'or ended the job with a TypeError that nobody can act on'

export const scenarios: readonly Scenario[] = [
  status(2, 400, [rejected], 'never', 'a request that can never succeed was repeated for hours'),
  status(
    3,
    401,
    [authentication],
    'never',
    'a revoked key looked like a passing fault: the connection stayed green and its jobs died one by one'
  ),
  status(
    4,
    403,
    [authentication],
    'never',
    'a key without permission looked like a passing fault, and nobody was told'
  ),
  status(
    5,
    404,
    [notFound, rejected, configuration],
    'mayBeNone',
    'a deleted object was retried for hours, or went on selling'
  ),
  status(
    6,
    409,
    [rejected],
    'mayBeDone',
    'a conflict was repeated until the job died, or taken for success where it is none'
  ),
  status(
    7,
    422,
    [rejected],
    'never',
    'fields that the platform refused were sent again and again, and the operator never saw which'
  ),
  {
    number: 8,
    name: '429',
    answer: { kind: 'quote', status: 429, headers: { 'retry-after': String(retryAfterSeconds) } },
    codes: [rateLimited],
    mayResolve: 'never',
    title: 'a platform that says 429 with Retry-After is left alone for as long as it asks',
    prevents: 'jobs lost their attempts to a rate limit, and the platform blocked the account'
  },
  status(9, 500, passing, 'never', 'an outage of the platform killed jobs that would have succeeded a minute later'),
  status(
    10,
    503,
    [...passing, unavailable],
    'never',
    'maintenance of the platform killed jobs that would have succeeded a minute later'
  ),
  {
    number: 11,
    name: 'time-out',
    answer: { kind: 'silent' },
    codes: passing,
    mayResolve: 'never',
    isAborted: true,
    title: 'a request that is never answered is a passing fault, or one of unknown outcome',
    prevents: 'a time-out was reported as a refusal, and a write that had taken effect was never looked up'
  },
  {
    number: 12,
    name: 'stalled answer',
    answer: { kind: 'stalled' },
    codes: passing,
    mayResolve: 'never',
    isAborted: true,
    title: 'an answer that stops in the middle is a passing fault, or one of unknown outcome',
    prevents: 'half an answer was read as a whole one'
  },
  {
    number: 13,
    name: 'connection reset',
    answer: { kind: 'reset' },
    codes: passing,
    mayResolve: 'never',
    title: 'a connection that breaks is a passing fault, or one of unknown outcome',
    prevents: 'a restart of the platform killed jobs that would have succeeded a minute later'
  },
  rubbish(14, 'broken JSON', json, '{"items":[{"id":"1","name":"Mu', 'never'),
  rubbish(15, 'HTML', 'text/html; charset=utf-8', page, 'never'),
  rubbish(16, 'empty body', json, '', 'writes'),
  rubbish(17, 'JSON null', json, 'null', 'fitting'),
  rubbish(18, 'JSON of another shape', json, '{"unexpected":[{"unexpected":null}]}', 'fitting'),
  {
    number: 19,
    name: 'endless body',
    answer: { kind: 'endless' },
    codes: everyCode,
    mayResolve: 'never',
    title: 'the adapter stops reading an answer that never ends',
    prevents: 'one answer filled the memory of the hub and took every connection down with it'
  },
  {
    number: 22,
    name: 'maintenance page',
    answer: {
      kind: 'answer',
      status: 503,
      headers: { 'retry-after': '3600' },
      type: 'text/html; charset=utf-8',
      body: page
    },
    codes: [rateLimited, unavailable],
    mayResolve: 'never',
    title: 'a maintenance page, 503 with Retry-After, becomes a RateLimitedError or an UnavailableError',
    prevents: 'jobs lost their attempts to the maintenance of a platform, and died of it'
  }
]

/** Answers every request with success, so that the suite sees all requests of the adapter. */
export const emptyObject: Answer = { kind: 'answer', status: 200, type: json, body: '{}' }

function status (
  number: number,
  code: number,
  codes: readonly AdapterErrorCode[],
  mayResolve: Scenario['mayResolve'],
  prevents: string
): Scenario {
  return {
    number,
    name: String(code),
    answer: { kind: 'quote', status: code },
    codes,
    mayResolve,
    title: `a platform's ${code} becomes ${names(codes)}${
      mayResolve === 'never' ? '' : ', or what the method says about it'
    }`,
    prevents
  }
}

function rubbish (
  number: number,
  name: string,
  type: string,
  body: string,
  mayResolve: 'never' | 'writes' | 'fitting'
): Scenario {
  const outcome = {
    fitting: 'an error of the SDK or an answer that fits',
    writes: 'an error of the SDK, except for a write that needs no answer',
    never: 'an error of the SDK'
  }[mayResolve]
  const title = `${name} with status 200 becomes ${outcome}`
  return {
    number,
    name,
    answer: { kind: 'answer', status: 200, type, body },
    codes: everyCode,
    mayResolve,
    title,
    prevents: unreadable
  }
}

function names (codes: readonly AdapterErrorCode[]): string {
  return codes.map(code => errorNames.get(code)).join(' or ')
}
