import { RejectedError } from '../errors.ts'
import { describeTarget, type CallTarget } from './carrier.ts'
import { fits } from './size.ts'

/**
 * The error for an answer that exceeds its limits. The job is then dead, and the message names the
 * method.
 */
export class AnswerLimitError extends RejectedError {
  override readonly name = 'AnswerLimitError'
}

/**
 * The most bytes in the answer of a method, a job or a route, counted as JSON. The body of a route
 * has another limit, too.
 */
export const mostAnswerBytes = 16 * 1024 * 1024
/** The limit for all other answers: tests, configs, credentials, problems of a config. */
const mostSmallBytes = 262_144
/** The limit for the `result` of a job. */
const mostResultBytes = 262_144
/**
 * The most products in the outcome of one job; the same limit holds for stock levels, orders and
 * offers.
 */
const mostInOutcome = 10_000
/** The most stock levels in a page, however few products they belong to. */
const mostLevels = 50_000

/**
 * Throws for an answer that is too large to be copied, sent to another thread or stored. Stops
 * reading the answer at the limit.
 */
export function checkAnswerSize (target: CallTarget, args: readonly unknown[], answer: unknown): void {
  const refuse = (what: string): never => {
    throw limitError(target, `${describeTarget(target)} answered ${what}`)
  }
  const isLarge = target.kind === 'capability' || target.kind === 'job' || target.kind === 'route'
  if (isListing(target)) checkPage(target, limitOf(args), itemsOf(answer), refuse)
  if (target.kind === 'job') checkOutcome(answer, refuse)
  const mostBytes = isLarge ? mostAnswerBytes : mostSmallBytes
  if (!fits(answer, mostBytes)) refuse(`more than ${mostBytes} bytes`)
}

function checkOutcome (outcome: unknown, refuse: (what: string) => never): void {
  if (!isObject(outcome)) return
  for (const [name, member] of Object.entries(outcome)) {
    const count = Array.isArray(member) && name !== 'result' ? member.length : 0
    if (count > mostInOutcome) refuse(`${count} ${name} where ${mostInOutcome} are allowed: enqueue jobs for the rest`)
  }
  if (!fits(Reflect.get(outcome, 'result'), mostResultBytes)) refuse(`a result of more than ${mostResultBytes} bytes`)
}

/**
 * Refuses a page that is longer than the limit of its request. For stock, the limit counts
 * products: the number of their variants is known only after reading.
 */
function checkPage (
  { method }: CapabilityTarget,
  limit: number | undefined,
  items: readonly unknown[] | undefined,
  refuse: (what: string) => never
): void {
  if (limit === undefined || items === undefined || items.length <= limit) return
  if (method !== 'listStock') refuse(`${items.length} items where its limit is ${limit}`)
  if (items.length > mostLevels) refuse(`${items.length} stock levels where ${mostLevels} are allowed`)
  const products = new Set(items.map(item => isObject(item) ? Reflect.get(item, 'productExternalId') : item)).size
  if (products > limit) refuse(`the stock of ${products} products where its limit is ${limit}`)
}

/** Makes the error. A too large answer of a route is a fault of the adapter, not of the caller. */
function limitError ({ kind }: CallTarget, message: string): Error {
  return kind === 'route' ? new RangeError(message) : new AnswerLimitError(message)
}

type CapabilityTarget = Extract<CallTarget, { kind: 'capability' }>

/**
 * Whether `limit` in the request is the limit of a page. In a capability of a vendor, `limit` may
 * mean something else.
 */
function isListing (target: CallTarget): target is CapabilityTarget {
  return target.kind === 'capability' && !target.capability.includes('/')
}

/** Returns the limit in the request of a listing. */
function limitOf ([request]: readonly unknown[]): number | undefined {
  const limit: unknown = isObject(request) ? Reflect.get(request, 'limit') : undefined
  return typeof limit === 'number' ? limit : undefined
}

/** Returns the items of a page; undefined when the answer is no page. */
function itemsOf (answer: unknown): readonly unknown[] | undefined {
  if (!isObject(answer)) return undefined
  return [answer, Reflect.get(answer, 'items'), Reflect.get(answer, 'events')].find(Array.isArray)
}

function isObject (value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
