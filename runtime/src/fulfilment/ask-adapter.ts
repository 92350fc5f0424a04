import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { nameOf } from '../adapters/load.ts'
import { toRouteFailure } from '../adapters/adapter-failure.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
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
 * Answers the function that asks an adapter while a client waits. What it throws answers the client
 * as the routes of adapters do.
 */
export function createAsk ({ adapters }: Pick<FastifyInstance, 'adapters'>) {
  return async function ask<Schema extends TSchema> (
    { opened: { adapter, snapshot }, capability, method, args, answer }: Question<Schema>,
    { id: requestId }: FastifyRequest,
    reply: FastifyReply
  ): Promise<Static<Schema>> {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const found = await adapters.call(adapter, snapshot, { kind: 'capability', capability, method }, args, {
        signal,
        requestId
      })
      const problem = Value.Check(answer, found) ? undefined : Value.Errors(answer, found).First()
      if (problem !== undefined) {
        throw new TypeError(`${capability}.${method} answered something else than its contract says: ${problem.path} ${problem.message}`)
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
