import type { ScheduleDescription } from '@linker/sdk/host'
import type { Registry } from '../../adapters/registry.ts'
import type { Query } from '../../database/database.ts'
import { parseEvery, timingOf, type Timing } from './slots.ts'

/** What the operator set for one schedule of one connection; null is the adapter's own. */
export interface Setting { every: string | null, enabled: boolean }

/** A schedule as it stands for a connection. */
export interface Schedule extends Timing {
  every: string
  enabled: boolean
  job: string
  payload: Readonly<Record<string, unknown>>
}

interface Row { id: string, adapterKey: string, adapterVersion: string | null, settings: Readonly<Record<string, Setting>> | null }

const pageSize = 1_000
const beforeAll = '00000000-0000-0000-0000-000000000000'

/** Every schedule that fires now: of active connections, as the adapter version has it that serves each. Without an adapter that has any, nothing is asked. */
export async function readPlan (query: Query, registry: Registry): Promise<Schedule[]> {
  const keys = new Set(registry.records.flatMap(({ adapter }) => adapter === undefined || adapter.description.schedules.length === 0 ? [] : [adapter.manifest.adapterKey]))
  const plan: Schedule[] = []
  for (let after: string | undefined = keys.size === 0 ? undefined : beforeAll; after !== undefined;) {
    const rows: Row[] = await query<Row>(`
      select id, adapter_key as "adapterKey", adapter_version as "adapterVersion",
        (select json_object_agg(name, json_build_object('every', every, 'enabled', enabled)) from connection_schedules where connection_id = connections.id) as settings
      from connections where status = 'active' and adapter_key = any($1) and id > $2 order by id limit ${pageSize}`, [[...keys], after])
    for (const row of rows) plan.push(...schedulesOf(registry, row, new Map(Object.entries(row.settings ?? {}))).filter(({ enabled }) => enabled))
    after = rows.length < pageSize ? undefined : rows.at(-1)?.id
  }
  return plan
}

/** The schedules of a connection; none while its adapter is not there. */
export function schedulesOf (registry: Registry, connection: { id: string, adapterKey: string, adapterVersion?: string | null }, settings: ReadonlyMap<string, Setting>): Schedule[] {
  const schedules: readonly ScheduleDescription[] = registry.find(connection.adapterKey, connection.adapterVersion)?.description.schedules ?? []
  return schedules.map(({ name, every: ownEvery, job, payload }) => {
    const { every, enabled } = settings.get(name) ?? { every: null, enabled: true }
    return { ...timingOf(connection.id, name, parseEvery(every ?? ownEvery)), every: every ?? ownEvery, enabled, job, payload }
  })
}
