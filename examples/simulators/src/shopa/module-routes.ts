import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Query } from '../request-log.ts'
import { refusalOfCall } from './call-signature.ts'
import { importOrder, priceShipping, type ModuleAnswer, type ModuleOrders } from './module-orders.ts'
import type { Sender } from './sender.ts'

interface Module extends ModuleOrders {
  switches: ModuleOrders['switches'] & { maintenance: boolean }
  sender: Sender
  /** Returns the secret that verifies the hub's calls. */
  secret: () => string
  cronToken: string | undefined
  now: () => Date
}

const isModule = /^\/(?:index\.php|module\/)/

/** The shop answers before any controller of the module runs, whoever asks. */
function sendMaintenancePage (reply: FastifyReply): FastifyReply {
  return reply.code(503).header('retry-after', '3600').type('text/html; charset=utf-8')
    .send('<!doctype html><html lang="en"><head><title>Maintenance</title></head>' +
      '<body><h1>We will be back soon.</h1></body></html>')
}

/**
 * Registers the front controllers of the module inside the shop:
 *
 *     GET  /index.php?fc=module&module={module}&controller=cron&token={token}   one delivery
 *     POST /module/{module}/ping, or /index.php with controller=ping            a `test.ping`
 *     POST /index.php with controller=cartshipping or controller=importorder    orders
 */
export function registerModule (app: FastifyInstance, module: Module): void {
  const { sender, secret, cronToken, now, switches } = module

  app.addHook('onRequest', async (request, reply) => {
    if (switches.maintenance && isModule.test(request.url)) return sendMaintenancePage(reply)
  })

  app.all<{ Querystring: Query }>('/index.php', async (request, reply) => {
    const { controller, token } = request.query
    if (controller === 'ping') return answerSigned(request, reply, ping)
    if (controller === 'cartshipping') return answerSigned(request, reply, () => priceShipping(module, request.body))
    if (controller === 'importorder') return answerSigned(request, reply, () => importOrder(module, request.body))
    if (controller !== 'cron') return reply.code(404).send('')
    if (cronToken === undefined || token !== cronToken) return reply.code(403).send({ error: 'invalid-token' })
    const deliveries = await sender.deliver()
    const count = (status: string) => deliveries.filter(delivery => delivery.status === status).length
    return {
      processed: deliveries.length,
      delivered: count('delivered'),
      failed: count('failed'),
      requeued: count('pending')
    }
  })

  app.all('/module/:module/ping', (request, reply) => answerSigned(request, reply, ping))

  async function answerSigned (
    request: FastifyRequest,
    reply: FastifyReply,
    answer: () => ModuleAnswer | Promise<ModuleAnswer>
  ) {
    if (request.method !== 'POST') return reply.code(405).send({ error: 'method-not-allowed' })
    const body = typeof request.body === 'string' ? request.body : ''
    const refusal = refusalOfCall({ headers: request.headers, body }, secret(), now())
    if (refusal !== undefined) return reply.code(401).send({ error: refusal })
    const answered = await answer()
    return reply.code(answered.status).send(answered.body)
  }

  async function ping (): Promise<ModuleAnswer> {
    const { error } = await sender.ping()
    return error === undefined ? { status: 200, body: { ok: true } } : { status: 502, body: { error } }
  }
}
