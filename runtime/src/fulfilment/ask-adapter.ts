import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toRouteFailure } from '../adapters/adapter-failure.ts'
import type { Adapters } from '../adapters/adapters.ts'
import { nameOf } from '../adapters/load.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
import { refusePaused } from '../connections/pauses/refuse-paused.ts'
import { AdapterTimeoutError } from '../errors.ts'

const timeoutMs = 30_000

export interface Question<Schema extends TSchema> {
  opened: OpenConnection
  capability: string
  method: string
  args: readonly unknown[]
  answer: Schema
}

/**
 * Returns the function that asks an adapter while a client waits. Its errors answer the client like
 * the errors of the adapters' own routes.
 */
export function createAsk ({ adapters }: { adapters: Pick<Adapters, 'call'> }) {
  return async function ask<Schema extends TSchema> (
    { opened: { connection, adapter, snapshot }, capability, method, args, answer }: Question<Schema>,
    { id: requestId }: FastifyRequest,
    reply: FastifyReply
  ): Promise<Static<Schema>> {
    refusePaused(connection, [capability])
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const target = { kind: 'capability' as const, capability, method }
      const found = await adapters.call(adapter, snapshot, target, args, { signal, requestId })
      const problem = Value.Check(answer, found) ? undefined : Value.Errors(answer, found).First()
      if (problem !== undefined) {
        const misfit = `${problem.path} ${problem.message}`
        throw new TypeError(`${capability}.${method} returned an answer that breaks its contract: ${misfit}`)
      }
      return Value.Decode(answer, found)
    } catch (error) {
      if (signal.aborted) throw new AdapterTimeoutError(nameOf(adapter), timeoutMs)
      const { error: failure, retryAfterSeconds } = toRouteFailure(error, nameOf(adapter))
      if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
      throw failure
    }
  }
}
