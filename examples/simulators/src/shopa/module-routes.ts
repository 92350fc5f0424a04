import type { FastifyInstance } from 'fastify'
import type { Query } from '../request-log.ts'
import type { Sender } from './sender.ts'

/** The cron address of the shop-side module: `GET /index.php?fc=module&module={module}&controller=cron&token={token}` runs one delivery. */
export function registerModule (app: FastifyInstance, sender: Sender, cronToken: string | undefined): void {
  app.get<{ Querystring: Query }>('/index.php', async (request, reply) => {
    const { controller, token } = request.query
    if (controller !== 'cron') return reply.code(404).send('')
    if (cronToken === undefined || token !== cronToken) return reply.code(403).send({ error: 'invalid-token' })
    const deliveries = await sender.deliver()
    const count = (status: string) => deliveries.filter(delivery => delivery.status === status).length
    return { processed: deliveries.length, delivered: count('delivered'), failed: count('failed'), requeued: count('pending') }
  })
}
