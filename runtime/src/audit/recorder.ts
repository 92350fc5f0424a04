import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { cleanRegularly } from '../database/clean-regularly.ts'
import { enterScene, type Scene } from './actor.ts'
import { recordChange, removeOldEntries, type Change } from './store.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes a body but changes nothing, so its requests are not recorded. */
    changesNothing?: boolean
    /** The route changes nothing when its body or its query says `dryRun: true`. */
    dryRuns?: boolean
  }
  interface FastifyRequest {
    auditScene: Scene | null
  }
  interface FastifyInstance {
    /** The commands of the hub, such as `POST /jobs`. */
    auditedCommands: ReadonlySet<string>
  }
}

/** How long entries are kept. */
export const auditDays = 400
const keptMs = auditDays * 86_400_000
const cleaningIntervalMs = 3_600_000
const mostInOneStatement = 1_000

/**
 * Records who changed what. A change of settings is recorded in its own transaction, by
 * `recordChange`. A command that recorded nothing itself, such as running a job, is recorded here,
 * before its caller gets the answer.
 */
export default fp<{ now: () => Date }>(async (app, { now }) => {
  const { query } = app.database

  const commands = new Set<string>()
  app.decorate('auditedCommands', commands)
  app.addHook('onRoute', ({ method, url, config = {} }) => {
    for (const name of [method].flat()) {
      if (config.scope !== 'webhook' && isCommand(name, config)) commands.add(`${name} ${url}`)
    }
  })

  app.decorateRequest('auditScene', null)
  // Not earlier: the code that reads a body runs its end in the context of the socket.
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.routeOptions.config.scope === 'webhook') done()
    else {
      request.auditScene = { request, isRecorded: false }
      enterScene(request.auditScene, done)
    }
  })
  // Synchronous for all that is not recorded: webhooks are many.
  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    if (isUnrecorded(request, reply)) {
      done(null, payload)
      return
    }
    void recordThen(request, () => {
      done(null, payload)
    })
  })

  async function recordThen (request: FastifyRequest, done: () => void): Promise<void> {
    try {
      await recordChange(query, describeCommand(request))
    } catch (error) {
      // The work is done, and its caller needs the answer.
      request.log.error({ err: error, actor: request.caller?.name }, 'recording a request for the audit failed')
    }
    done()
  }

  app.addHook('onResponse', (request, _reply, done) => {
    if (request.auditScene !== null) request.auditScene.request = undefined
    done()
  })

  cleanRegularly(app, {
    async clean (signal) {
      for (let removed = mostInOneStatement; removed === mostInOneStatement && !signal.aborted;) {
        removed = await removeOldEntries(query, new Date(now().getTime() - keptMs), mostInOneStatement)
      }
    },
    everyMs: cleaningIntervalMs,
    work: 'removing old audit entries',
    log: app.log
  })
}, { name: 'audit', dependencies: ['authentication', 'database'] })

/** Whether a request needs no entry, or has one of its own. */
function isUnrecorded (request: FastifyRequest, reply: FastifyReply): boolean {
  const { auditScene, caller } = request
  if (auditScene === null || auditScene.isRecorded || caller === null || reply.statusCode >= 400) return true
  return !isCommand(request.method, request.routeOptions.config) || reply.hasHeader('idempotency-replayed') ||
    isDryRun(request)
}

function isCommand (method: string, config: FastifyContextConfig): boolean {
  return method !== 'GET' && method !== 'HEAD' && config.changesNothing !== true
}

function isDryRun ({ body, query, routeOptions: { config } }: FastifyRequest): boolean {
  return config.dryRuns === true &&
    [body, query].some(given =>
      typeof given === 'object' && given !== null && 'dryRun' in given && given.dryRun === true
    )
}

/** The body is left out, because it may hold secrets. */
function describeCommand (request: FastifyRequest): Change {
  const { method, routeOptions: { url = '' }, params, auditScene } = request
  if (auditScene?.route !== undefined) {
    return { action: `${method} ${auditScene.route.path}`, connectionId: auditScene.route.connectionId }
  }
  const { id, connectionId } = params as { id?: string, connectionId?: string }
  return {
    action: `${method} ${url}`,
    connectionId: connectionId ?? (url.startsWith('/connections/:id') ? id : undefined),
    objectId: id,
    ...auditScene?.object
  }
}
