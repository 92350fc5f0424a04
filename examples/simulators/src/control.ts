import fastify from 'fastify'
import type { Fault, Faults } from './faults.ts'
import type { MktB } from './mktb/start.ts'

/** A fault as JSON. `path` is a regular expression: a person rarely knows the whole path. */
interface GivenFault extends Pick<Fault, 'method' | 'times' | 'chance' | 'delayMs' | 'answer' | 'reset' | 'when'> {
  path?: string
}

/** Node runs a timer that is longer at once. */
const longestTimerMs = 2_147_483_647
/** Names and values that Node sends as headers; it refuses others. */
const headerName = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"
const headerValue = '^[\\t\\x20-\\x7e\\x80-\\xff]*$'

const faultSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    method: { enum: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] },
    path: { type: 'string', format: 'regex' },
    times: { type: 'integer', minimum: 1 },
    chance: { type: 'number', minimum: 0, maximum: 1 },
    delayMs: { type: 'integer', minimum: 0, maximum: longestTimerMs },
    answer: {
      type: 'object',
      additionalProperties: false,
      required: ['status'],
      properties: {
        status: { type: 'integer', minimum: 200, maximum: 599 },
        headers: {
          type: 'object',
          propertyNames: { pattern: headerName },
          additionalProperties: { type: 'string', pattern: headerValue }
        },
        body: { anyOf: [{ type: 'string' }, { type: 'object' }] }
      }
    },
    reset: { const: true },
    when: { enum: ['before', 'after'] }
  }
}

/** An order as JSON. The marketplace makes up everything else. */
interface GivenOrder {
  lines: readonly { externalId: string, quantity: number }[]
}

const orderSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['lines'],
  properties: {
    lines: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['externalId', 'quantity'],
        properties: { externalId: { type: 'string' }, quantity: { type: 'integer', minimum: 1 } }
      }
    }
  }
}

export interface ControlOptions {
  port: number
  /** The marketplace where `POST /orders` places an order. */
  market: Pick<MktB, 'placeOrder' | 'product'>
  /** The faults of each server, by the name that the path has. */
  servers: Readonly<Record<string, Faults>>
}

/**
 * A page of the internet can lead its own name to 127.0.0.1, and then call the server from the
 * browser of this computer. The `Host` of such a request has that other name.
 */
const ownNames: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost'])

/**
 * Starts a server on 127.0.0.1 that switches the faults of other servers on and off, and places
 * orders. It has a port of its own, so that no fault hits it.
 */
export async function startControl ({ port, servers, market }: ControlOptions) {
  const app = fastify({
    forceCloseConnections: true,
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false } }
  })
  app.addHook('onRequest', async ({ hostname }, reply) => {
    if (ownNames.has(hostname.toLowerCase())) return
    return reply.code(403).send({ message: 'the Host of a request must be 127.0.0.1 or localhost' })
  })
  const params = {
    type: 'object',
    required: ['server'],
    properties: { server: { enum: Object.keys(servers) } }
  }

  app.post<{ Params: { server: string }, Body: GivenFault }>('/faults/:server', {
    schema: { params, body: faultSchema }
  }, async ({ params: { server }, body: { path, times = Number.POSITIVE_INFINITY, ...fault } }, reply) => {
    try {
      servers[server]?.add({ ...fault, times, ...(path === undefined ? {} : { path: new RegExp(path) }) })
    } catch (error) {
      if (error instanceof TypeError) return reply.code(400).send({ message: error.message })
      throw error
    }
    return reply.code(204).send()
  })

  app.delete<{ Params: { server: string } }>('/faults/:server', { schema: { params } }, async (request, reply) => {
    servers[request.params.server]?.clear()
    return reply.code(204).send()
  })

  app.post<{ Body: GivenOrder }>('/orders', { schema: { body: orderSchema } }, async ({ body: { lines } }, reply) => {
    const wanted = new Map<string, number>()
    for (const { externalId, quantity } of lines) wanted.set(externalId, (wanted.get(externalId) ?? 0) + quantity)
    for (const [externalId, quantity] of wanted) {
      const stock = market.product(externalId)?.stock
      if (typeof stock !== 'number') {
        return reply.code(400).send({ message: `the marketplace has no product '${externalId}'` })
      }
      if (stock < quantity) {
        return reply.code(400).send({ message: `the marketplace has only ${stock} of '${externalId}'` })
      }
    }
    return reply.code(201).send({ id: market.placeOrder({ lines }) })
  })

  const url = await app.listen({ host: '127.0.0.1', port })
  return { url, close: () => app.close() }
}
