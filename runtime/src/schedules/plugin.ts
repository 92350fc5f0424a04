import fp from 'fastify-plugin'
import { listChanges } from '../audit/list-changes.ts'
import { recordChange } from '../audit/store.ts'
import type { Config } from '../config.ts'
import type { Connection } from '../connections/entity.ts'
import { requirePresent } from '../connections/store.ts'
import type { Query } from '../database/database.ts'
import { ScheduleNotFoundError } from '../errors.ts'
import { jobIdOf } from '../jobs/identity.ts'
import { readStatuses } from '../jobs/store.ts'
import { readPlan, schedulesOf, unknownDefaults, type Schedule, type ScheduleSources } from './plan.ts'
import { createScheduler } from './scheduler.ts'
import type { SchedulePatch, ScheduleView } from './schemas.ts'
import { slotAt, slotKey, startOfSlot } from './slots.ts'
import { readSettings, storeSetting, type Setting } from './store.ts'

declare module 'fastify' {
  interface FastifyInstance {
    schedules: Schedules
  }
}

export interface Schedules {
  /** The schedules of these connections, whatever their state. */
  list(connections: readonly Connection[]): Promise<ScheduleView[]>
  /** Stores what the operator wants of a connection's schedule. Throws `LNK_SCHEDULE_NOT_FOUND`. */
  change(connection: Connection, name: string, patch: SchedulePatch): Promise<ScheduleView>
  /** A connection changed: it may have other schedules now. */
  wake(): void
}

/**
 * Lists and changes schedules and, unless this process only serves HTTP, runs the loop that fires
 * them.
 */
export default fp<{ config: Config, now: () => Date, random: () => number }>(async (app, { config, now, random }) => {
  const { query } = app.database
  const sources: ScheduleSources = { registry: app.adapters.registry, defaults: config.file.schedules ?? {} }
  const log = app.log.child({ component: 'schedules' })
  const scheduler = createScheduler({
    readPlan: () => readPlan(query, sources),
    enqueueJobs: app.jobs.enqueueJobs,
    now,
    random,
    log
  })
  for (const name of unknownDefaults(sources)) {
    log.warn(
      { schedule: name },
      'linker.config.json changes an unknown schedule: neither the core nor a loaded adapter has it'
    )
  }

  async function list (connections: readonly Connection[]): Promise<ScheduleView[]> {
    return describe(query, connections, await readSchedules(query, sources, connections), now().getTime())
  }

  /** The operator's setting of one schedule, without the members that are not set. */
  async function readSetting (inTransaction: Query, connectionId: string, name: string): Promise<Partial<Setting>> {
    const found = (await readSettings(inTransaction, [connectionId])).find(setting => setting.name === name)
    return found === undefined ? {} : { every: found.every ?? undefined, enabled: found.enabled }
  }

  app.decorate('schedules', {
    list,
    async change (connection, name, { every, enabled }) {
      const known = schedulesOf(sources, connection, new Map())
      const byDefault = known.find(schedule => schedule.name === name)
      if (byDefault === undefined) {
        throw new ScheduleNotFoundError(
          connection.id,
          name,
          known.map(schedule => schedule.name).join(', ') || 'none'
        )
      }
      const { id: connectionId } = connection
      await app.database.transaction(async transaction => {
        await requirePresent(transaction.query, connectionId)
        const before = await readSetting(transaction.query, connectionId, name)
        await storeSetting(transaction.query, {
          connectionId,
          name,
          every,
          enabled,
          enabledByDefault: byDefault.enabled
        })
        const after = await readSetting(transaction.query, connectionId, name)
        await recordChange(transaction.query, {
          action: 'schedule.change',
          connectionId,
          objectId: name,
          objectName: connection.name,
          changes: listChanges(before, after, () => false)
        })
      })
      scheduler.wake()
      const [view] = (await list([connection])).filter(schedule => schedule.name === name)
      if (view === undefined) throw new ScheduleNotFoundError(connection.id, name, 'none')
      return view
    },
    wake () {
      scheduler.wake()
    }
  })

  if (config.role === 'http') return
  app.addHook('onReady', async () => {
    scheduler.start()
  })
  app.addHook('preClose', () => scheduler.stop())
}, { name: 'schedules', dependencies: ['database', 'adapters', 'connections', 'jobs'] })

async function readSchedules (
  query: Query,
  sources: ScheduleSources,
  connections: readonly Connection[]
): Promise<Schedule[]> {
  const rows = await readSettings(query, connections.map(({ id }) => id))
  const settings = Map.groupBy(rows, ({ connectionId }) => connectionId)
  return connections.flatMap(connection =>
    schedulesOf(sources, connection, new Map((settings.get(connection.id) ?? []).map(row => [row.name, row])))
  )
}

async function describe (
  query: Query,
  connections: readonly Connection[],
  schedules: readonly Schedule[],
  nowMs: number
): Promise<ScheduleView[]> {
  const active = new Set(connections.filter(({ status }) => status === 'active').map(({ id }) => id))
  const slots = schedules.map(schedule => {
    const slot = slotAt(schedule, nowMs)
    return { schedule, slot, current: jobIdOf(slotKey(schedule, slot)), previous: jobIdOf(slotKey(schedule, slot - 1)) }
  })
  const made = await readStatuses(query, slots.flatMap(({ current, previous }) => [current, previous]))
  return slots.map(({ schedule, slot, current, previous }) => {
    const { connectionId, name, every, enabled, job } = schedule
    // A schedule is due now when its slot has begun and has no job yet.
    const nextMs = made.has(current) ? startOfSlot(schedule, slot + 1) : nowMs
    const lastJobId = [current, previous].find(id => made.has(id))
    return {
      connectionId,
      name,
      every,
      enabled,
      job,
      nextAt: enabled && active.has(connectionId) ? new Date(nextMs).toISOString() : null,
      lastJobId,
      lastJobStatus: lastJobId === undefined ? undefined : made.get(lastJobId)
    }
  })
}
