import { RejectedError } from '../errors.ts'
import { describeTarget, type CallTarget } from './carrier.ts'
import { fits } from './size.ts'

/** An answer of a call exceeded its limits: the job is dead, and the message names the method. */
export class AnswerLimitError extends RejectedError {
  override readonly name = 'AnswerLimitError'
}

/**
 * The most bytes of the answer of a method, a job or a route, counted as JSON. A route's body has a
 * limit of its own.
 */
export const mostAnswerBytes = 16 * 1024 * 1024
/** The limit for all other answers: tests, configs, credentials, problems of a config. */
const mostSmallBytes = 262_144
/** The limit for the `result` of a job. */
const mostResultBytes = 262_144
/** The most products, stock levels, orders or offers in one job's outcome. */
const mostToldOf = 10_000

/**
 * Throws for an answer that is too large to be copied, sent to another thread or stored. Looks at
 * no more of it than necessary.
 */
export function checkAnswerSize (target: CallTarget, args: readonly unknown[], answer: unknown): void {
  const refuse = (what: string): never => {
    throw failure(target, `${describeTarget(target)} answered ${what}`)
  }
  const isLarge = target.kind === 'capability' || target.kind === 'job' || target.kind === 'route'
  const wanted = isListing(target) ? limitOf(args) : undefined
  const found = itemsOf(answer)
  if (wanted !== undefined && found !== undefined && found > wanted) {
    refuse(`${found} items where its limit is ${wanted}`)
  }
  if (target.kind === 'job') checkOutcome(answer, refuse)
  const mostBytes = isLarge ? mostAnswerBytes : mostSmallBytes
  if (!fits(answer, mostBytes)) refuse(`more than ${mostBytes} bytes`)
}

function checkOutcome (outcome: unknown, refuse: (what: string) => never): void {
  if (!isObject(outcome)) return
  for (const [name, told] of Object.entries(outcome)) {
    const count = Array.isArray(told) && name !== 'result' ? told.length : 0
    if (count > mostToldOf) refuse(`${count} ${name} where ${mostToldOf} are allowed: enqueue jobs for the rest`)
  }
  if (!fits(Reflect.get(outcome, 'result'), mostResultBytes)) refuse(`a result of more than ${mostResultBytes} bytes`)
}

/** A large answer of a route is a fault of the adapter, not of the caller. */
function failure ({ kind }: CallTarget, message: string): Error {
  return kind === 'route' ? new RangeError(message) : new AnswerLimitError(message)
}

/** Whether `limit` in the argument counts items. A vendor's capability may mean something else. */
function isListing (target: CallTarget): boolean {
  return target.kind === 'capability' && !target.capability.includes('/')
}

/** The limit of a listing. */
function limitOf ([request]: readonly unknown[]): number | undefined {
  const limit: unknown = isObject(request) ? Reflect.get(request, 'limit') : undefined
  return typeof limit === 'number' ? limit : undefined
}

/** The number of items of a page. */
function itemsOf (answer: unknown): number | undefined {
  if (!isObject(answer)) return undefined
  const items = [answer, Reflect.get(answer, 'items'), Reflect.get(answer, 'events')].find(Array.isArray)
  return items?.length
}

function isObject (value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
