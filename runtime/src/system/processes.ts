import fp from 'fastify-plugin'
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { AwayAdapter, ServingProcess } from '../adapters/away-adapters.ts'
import { recordChange } from '../audit/store.ts'
import { createKeyLog, type OpeningProcess, type UnreadableKey } from '../credentials/rewrap/unreadable-keys.ts'
import type { Query } from '../database/database.ts'
import type { WorkerAbsence } from '../jobs/worker-absence.ts'
import type { Mode } from '../mode-of.ts'
import { runRegularly } from '../run-regularly.ts'
import type { MixedStreams } from '../streams/mixed-streams.ts'
import type { LogLevelName, LogLevelView, ProcessView } from './schemas.ts'
import {
  listAway,
  listProcesses,
  listUnreadable,
  noteAlive,
  noteStopped,
  readLogLevel,
  readMixedStreams,
  removeLogLevel,
  removeProcess,
  storeLogLevel
} from './store.ts'
import { watchWorkers } from './worker-watch.ts'

declare module 'fastify' {
  interface FastifyInstance {
    processes: Processes
  }
}

export interface Processes {
  /** The processes of the hub that are alive. */
  list(): Promise<ProcessView[]>
  /** The processes that are alive, and the adapters that do not serve in each of them. */
  listAway(query: Query): Promise<ServingProcess[]>
  /** The processes that are alive, and the keys of stored secrets that each cannot open. */
  listUnreadable(query: Query): Promise<OpeningProcess[]>
  /** Says that no process runs jobs; undefined while one does, or may. */
  readWorkerAbsence(query: Query): Promise<WorkerAbsence | undefined>
  /** The processes that are alive when some keep their streams in Redis and others do not. */
  readMixedStreams(query: Query): Promise<MixedStreams | undefined>
  logLevel(): Promise<LogLevelView>
  /** Makes all processes log at a level for some minutes. */
  setLogLevel(level: LogLevelName, minutes: number): Promise<LogLevelView>
  /** Makes all processes log at `LOG_LEVEL` again. */
  resetLogLevel(): Promise<LogLevelView>
}

export interface ProcessesOptions {
  role: string
  mode: Mode
  /** Whether the jobs of this hub may need another process. */
  needsWorker: boolean
  version: string
  now: () => Date
  /** Reads which adapters do not serve in this process now. */
  readAway: (query: Query) => Promise<AwayAdapter[]>
  /** Finds the keys of stored secrets that this process cannot open now. */
  findUnreadable: (query: Query) => Promise<UnreadableKey[]>
}

const aliveEveryMs = 15_000

/**
 * Tells the other processes of the hub that this one lives, and logs at the level that somebody set
 * for all of them. A process learns of a new level at once, or within 15 s when it misses the
 * message. It also tells the others which adapters do not serve in it, which secrets it cannot
 * open, and where its state is.
 */
export default fp<ProcessesOptions>(async (app, options) => {
  const { role, mode, needsWorker, version, now, readAway, findUnreadable } = options
  const { database } = app
  const { query } = database
  const log = app.log.child({ component: 'system' })
  const own = { id: randomUUID(), role, mode, version, host: hostname(), pid: process.pid, startedAt: now() }
  // The loggers of components and requests are children of this one, and have its level.
  const { level: usual } = app.log
  const workers = watchWorkers({ now })
  const noteKeys = createKeyLog(app.log.child({ component: 'credentials' }))
  let end: NodeJS.Timeout | undefined
  let isMixed = false

  async function followLevel (): Promise<void> {
    const present = await readLogLevel(query)
    clearTimeout(end)
    app.log.level = present?.level ?? usual
    if (present === undefined) return
    end = setTimeout(() => {
      app.log.level = usual
    }, present.restMs).unref()
  }

  /** Says once when the hub becomes one whose processes use different streams. */
  async function lookForMixedStreams (): Promise<void> {
    if (mode === 'embedded') return
    const mixed = await readMixedStreams(query)
    if (mixed !== undefined && !isMixed) {
      const { inRedis, inTables } = mixed
      log.error(
        { mode, inRedis, inTables },
        'some processes of this hub use Redis and others do not: events that ' +
          'one accepts are not read by the other; set the same REDIS_URL for all processes and restart them'
      )
    }
    isMixed = mixed !== undefined
  }

  const alive = runRegularly({
    async run () {
      const unreadableKeys = await findUnreadable(query)
      noteKeys(unreadableKeys)
      await noteAlive(query, own, { adaptersAway: await readAway(query), unreadableKeys })
      workers.noteAlive()
      await followLevel()
      await lookForMixedStreams()
    },
    everyMs: aliveEveryMs,
    warning: 'telling that this process lives failed; trying again',
    log
  })
  const following = runRegularly({
    run: followLevel,
    everyMs: aliveEveryMs,
    warning: 'reading the log level failed; trying again',
    log
  })
  const unlisten = database.listen('levels', following.runNow)

  async function view (): Promise<LogLevelView> {
    const present = await readLogLevel(query)
    return { level: present?.level ?? usual, usual, until: present?.until ?? null }
  }

  async function change (to: { level: LogLevelName, minutes: number } | undefined): Promise<LogLevelView> {
    await database.transaction(async transaction => {
      const from = (await readLogLevel(transaction.query))?.level ?? usual
      if (to === undefined) await removeLogLevel(transaction.query)
      else await storeLogLevel(transaction.query, to.level, to.minutes)
      const changes = [
        { pointer: '/level', from, to: to?.level ?? usual },
        ...(to === undefined ? [] : [{ pointer: '/minutes', to: to.minutes }])
      ]
      await recordChange(transaction.query, { action: 'log-level.set', changes })
    })
    await followLevel()
    database.notify('levels')
    return view()
  }

  app.decorate('processes', {
    async list () {
      return (await listProcesses(query)).map(found => ({ ...found, answers: found.id === own.id }))
    },
    async listAway (query) {
      // This process knows itself better than its row, which may be some seconds old.
      const others = (await listAway(query)).filter(({ id }) => id !== own.id)
      return [{ host: own.host, pid: own.pid, adaptersAway: await readAway(query) }, ...others]
    },
    async listUnreadable (query) {
      const others = (await listUnreadable(query)).filter(({ id }) => id !== own.id)
      return [{ host: own.host, pid: own.pid, unreadableKeys: await findUnreadable(query) }, ...others]
    },
    readWorkerAbsence: async query => needsWorker ? workers.read(query) : undefined,
    readMixedStreams: async query => readMixedStreams(query),
    logLevel: view,
    setLogLevel: (level, minutes) => change({ level, minutes }),
    resetLogLevel: () => change(undefined)
  })

  app.addHook('onReady', async () => {
    alive.runNow()
  })
  app.addHook('onClose', async () => {
    unlisten()
    clearTimeout(end)
    await Promise.all([alive.stop(), following.stop()])
    app.log.level = usual
    // Keep the row of a process that ran jobs: the others need to know when it ended.
    await (role === 'http' ? removeProcess : noteStopped)(query, own.id).catch((err: unknown) => {
      log.warn({ err }, 'telling that this process ends failed; it counts as alive for a minute')
    })
  })
}, { name: 'processes', dependencies: ['database'] })
