import type { FastifyInstance } from 'fastify'
import { Agent, request } from 'undici'
import { invalid } from './errors.ts'
import { hookBody, hookParameter } from './schemas.ts'

export const hookNames = [
  'checkBuyability',
  'productsNeedSync',
  'orderCreated',
  'orderStatusChanged',
  'orderSellerStatusChanged'
] as const
export type HookName = typeof hookNames[number]

export interface Hook {
  hookName: HookName
  url: string
  accessToken?: string
}

/** The result of one delivery. The marketplace sends at most one request for it. */
export interface HookDelivery {
  /**
   * `not-registered`: the hook has no address, so no request was sent. `accepted`: the answer was
   * 2xx. `refused`: the answer had another status. `timed-out`: the answer was not complete in
   * time. `failed`: no complete answer came, for instance because the connection was refused.
   */
  outcome: 'accepted' | 'refused' | 'timed-out' | 'failed' | 'not-registered'
  /** The address of the request, or the registered address if `resolveCallback` threw. */
  url?: string
  statusCode?: number
  /** The body of the answer that refused the delivery. */
  body?: string
  /** The reason why no complete answer came. */
  error?: string
}

export interface HooksOptions {
  timeoutMs: number
  /** Returns the local address at which a registered address is served. */
  resolveCallback: (url: string) => string
}

/**
 * Makes the store and the sender of the shop's hooks. Each hook name has at most one address. The
 * marketplace never repeats a delivery, and the request does not name its hook.
 */
export function createHooks ({ timeoutMs, resolveCallback }: HooksOptions) {
  const registered = new Map<HookName, Hook>()
  const agent = new Agent({ pipelining: 0 })

  async function deliver (name: HookName, order: object): Promise<HookDelivery> {
    const hook = registered.get(name)
    if (hook === undefined) return { outcome: 'not-registered' }
    const { accessToken } = hook
    const signal = AbortSignal.timeout(timeoutMs)
    let { url } = hook
    try {
      url = resolveCallback(url)
      const response = await request(url, {
        method: 'POST',
        dispatcher: agent,
        headers: {
          'content-type': 'application/json',
          ...accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }
        },
        body: JSON.stringify(order),
        signal
      })
      const body = await response.body.text()
      const { statusCode } = response
      return statusCode >= 200 && statusCode < 300
        ? { outcome: 'accepted', url, statusCode }
        : { outcome: 'refused', url, statusCode, body }
    } catch (error) {
      return {
        outcome: signal.aborted ? 'timed-out' : 'failed',
        url,
        error: error instanceof Error ? error.message : String(error)
      }
    }
  }

  return {
    list: (): Hook[] => [...registered.values()],
    register (hook: Hook): void {
      registered.set(hook.hookName, hook)
    },
    remove (name: HookName): void {
      registered.delete(name)
    },
    deliver,
    close: () => agent.destroy()
  }
}

export type Hooks = ReturnType<typeof createHooks>

export function registerHooks (app: FastifyInstance, hooks: Hooks): void {
  const params = hookParameter(hookNames)

  app.get('/hooks', async () => hooks.list())

  app.put<{ Params: { hookName: HookName }, Body: Hook }>('/hooks/:hookName', {
    schema: { params, body: hookBody(hookNames) }
  }, async (request, reply) => {
    if (request.body.hookName !== request.params.hookName) {
      throw invalid({ path: '/hookName', message: 'must be the name in the path' })
    }
    hooks.register(request.body)
    return reply.code(201).send()
  })

  app.delete<{ Params: { hookName: HookName } }>('/hooks/:hookName', { schema: { params } }, async (request, reply) => {
    hooks.remove(request.params.hookName)
    return reply.code(202).send()
  })
}
