import { RejectedError, TransientError, type HttpClient } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { setTimeout as pause } from 'node:timers/promises'
import type { MarketplaceContext } from '../config.ts'
import { parseBody } from '../read-answer.ts'
import { fetchOffer, ofOwnOffer } from './fetch.ts'
import { offerPath } from './path.ts'
import { parseOffer, problemsOf, UpstreamOffer } from './read.ts'

const usualWaitMs = 5_000
const longestWaitMs = 30_000
/**
 * How long the adapter follows a change in a call without a deadline, and the time that it keeps
 * for the last requests of a call with a deadline.
 */
const longestCallMs = 60_000
const reserveMs = 5_000

export interface Operation {
  operationId: string
  waitMs: number
}

const Operation = Type.Object({ operation: Type.Object({ status: Type.String() }) })

/** `offer`: as the marketplace answers it, before the change while the operation is under way. */
export interface Patched {
  operation?: Operation
  offer: UpstreamOffer | undefined
}

/**
 * Writes members of an offer. Returns the operation that the marketplace still works on, or the
 * finished offer.
 *
 *     PATCH ──200──▶ done, perhaps with errors in the offer
 *       ├────202──▶ an operation ──202──▶ … ──303──▶ done, perhaps with errors in the offer
 *       │                                  └──422──▶ refused
 *       └────409──▶ another operation is under way: later
 */
export async function patchOffer (http: HttpClient, externalId: string, body: object): Promise<Patched> {
  const send = () => http.request({ method: 'PATCH', path: offerPath(externalId), body, accept: [409] })
  const answer = await ofOwnOffer(http, externalId, send)
  if (answer.status === 409) {
    throw new TransientError('the marketplace is working on another change of this offer', { status: 409 })
  }
  // The page of a proxy proves no write: `parseBody` throws a transient error for it.
  const offer = answer.body.trim() === '' ? undefined : parseBody(answer.body)
  const found = Value.Check(UpstreamOffer, offer) ? offer : undefined
  const operationId = /\/operations\/([A-Za-z0-9._~-]+)\/?$/.exec(answer.headers['location'] ?? '')?.[1]
  if (answer.status === 202 && operationId !== undefined) {
    return { operation: { operationId, waitMs: waitOf(answer.headers) }, offer: found }
  }
  return { offer: found }
}

/**
 * Returns whether the marketplace has finished the operation, and when to ask again if not. Throws
 * a `RejectedError` with the reasons when the marketplace refused the change after all.
 */
export async function readOperation (
  http: HttpClient,
  externalId: string,
  operationId: string
): Promise<{ isDone: boolean, waitMs: number }> {
  // A finished operation redirects to the offer, and later the marketplace forgets it.
  const { status, body, headers } = await http.request({
    method: 'GET',
    path: `${offerPath(externalId)}/operations/${operationId}`,
    accept: [303, 404]
  })
  const answer = status === 200 ? parseBody(body) : undefined
  const isUnderWay = status === 202 || (Value.Check(Operation, answer) && answer.operation.status === 'IN_PROGRESS')
  return { isDone: !isUnderWay, waitMs: waitOf(headers) }
}

/**
 * Writes members of an offer and waits for the end, as long as the call may take. Returns the offer
 * after the change, if the marketplace answers it.
 */
export async function patchOfferToTheEnd (
  http: HttpClient,
  context: MarketplaceContext,
  externalId: string,
  body: object
): Promise<UpstreamOffer | undefined> {
  const started = context.clock.now().getTime()
  const patched = await patchOffer(http, externalId, body)
  if (patched.operation === undefined) return patched.offer
  const until = context.deadline === undefined ? started + longestCallMs : context.deadline.getTime() - reserveMs
  const { operationId } = patched.operation
  for (let { waitMs } = patched.operation;;) {
    if (context.clock.now().getTime() + waitMs > until) {
      throw new TransientError('the marketplace has not finished the change in time')
    }
    await wait(waitMs, context.signal)
    const state = await readOperation(http, externalId, operationId)
    if (state.isDone) return parseOffer(await fetchOffer(http, externalId))
    waitMs = state.waitMs
  }
}

/**
 * Throws when the marketplace reports faults of the offer after a change. The faults belong to the
 * whole offer, so the change may not be their cause.
 */
export function refuseFaults (offer: UpstreamOffer | undefined): void {
  const problems = offer === undefined ? [] : problemsOf(offer)
  if (problems.length === 0) return
  const faults = problems.map(({ code, message }) => `${code}: ${message}`).join('; ').slice(0, 500)
  throw new RejectedError(`the marketplace took the change but reports faults of the offer: ${faults}`, {
    fields: problems
  })
}

function waitOf (headers: Readonly<Record<string, string>>): number {
  const value = headers['retry-after'] ?? ''
  return /^\d{1,6}$/.test(value) ? Math.min(Number(value) * 1_000, longestWaitMs) : usualWaitMs
}

async function wait (ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal })
  } catch {
    throw new TransientError('the call was aborted while the marketplace worked on the change')
  }
}
