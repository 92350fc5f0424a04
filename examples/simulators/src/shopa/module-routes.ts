import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Query } from '../request-log.ts'
import { refusalOfCall } from './call-signature.ts'
import type { Sender } from './sender.ts'

interface Module { sender: Sender, cronToken: string | undefined, now: () => Date }

/**
 * The front controllers of the shop-side module: `GET /index.php?fc=module&module={module}&controller=cron&token={token}` runs one delivery,
 * `POST /module/{module}/ping` (or `/index.php` with `controller=ping`) sends a `test.ping`.
 */
export function registerModule (app: FastifyInstance, { sender, cronToken, now }: Module): void {
  app.all<{ Querystring: Query }>('/index.php', async (request, reply) => {
    const { controller, token } = request.query
    if (controller === 'ping') return ping(request, reply)
    if (controller !== 'cron') return reply.code(404).send('')
    if (cronToken === undefined || token !== cronToken) return reply.code(403).send({ error: 'invalid-token' })
    const deliveries = await sender.deliver()
    const count = (status: string) => deliveries.filter(delivery => delivery.status === status).length
    return { processed: deliveries.length, delivered: count('delivered'), failed: count('failed'), requeued: count('pending') }
  })

  app.all('/module/:module/ping', ping)

  async function ping (request: FastifyRequest, reply: FastifyReply) {
    if (request.method !== 'POST') return reply.code(405).send({ error: 'method-not-allowed' })
    const refusal = refusalOfCall({ headers: request.headers, body: typeof request.body === 'string' ? request.body : '' }, sender.secret(), now())
    if (refusal !== undefined) return reply.code(401).send({ error: refusal })
    const { error } = await sender.ping()
    return error === undefined ? { ok: true } : reply.code(502).send({ error })
  }
}
