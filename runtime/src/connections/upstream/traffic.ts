import type { RequestBudget } from '@linker/sdk'
import type { Registry } from '../../adapters/registry.ts'
import { currentActor } from '../../audit/actor.ts'
import { listChanges, type MemberChange } from '../../audit/list-changes.ts'
import { recordChange, type Change as Entry } from '../../audit/store.ts'
import type { Database, Query } from '../../database/database.ts'
import { InvalidRequestError } from '../../errors.ts'
import { refusal } from '../../http/refusal.ts'
import type { Upstream } from '../../upstream/plugin.ts'
import type { AreaTraffic } from '../../upstream/schemas.ts'
import { statesOfConnection } from '../../upstream/store.ts'
import type { Connections } from '../connections.ts'
import type { Connection } from '../entity.ts'
import { requireConnection } from '../find.ts'
import { lockConnection } from '../store.ts'
import { readTraffic } from './read-traffic.ts'
import type { BudgetBody, UpstreamView } from './schemas.ts'

export interface TrafficOptions {
  database: Pick<Database, 'query' | 'transaction'>
  connections: Pick<Connections, 'get' | 'redactorsOf'>
  registry: Pick<Registry, 'find'>
  upstream: Pick<Upstream, 'setBudget' | 'reset'>
}

interface Change {
  /** The entry in the audit. Throws when the change is refused. */
  entryOf: (before: UpstreamView) => Pick<Entry, 'action' | 'changes'>
  make: (id: string) => Promise<void>
}

/** Shows and changes how the hub sends requests to the platforms of its connections. */
export function createTraffic ({ database, connections, registry, upstream }: TrafficOptions) {
  /** Returns the function that reads the traffic of a connection without its secrets. */
  async function readerOf (id: string) {
    const redact = (await connections.redactorsOf([id]))(id)
    return async (query: Query, { adapterKey, adapterVersion }: Connection): Promise<UpstreamView> => {
      const serving = registry.find(adapterKey, adapterVersion)
      return { connectionId: id, ...await readTraffic(query, id, serving, redact) }
    }
  }

  async function show (connectionId: string): Promise<UpstreamView> {
    const connection = await connections.get(connectionId)
    const read = await readerOf(connection.id)
    return read(database.query, connection)
  }

  /**
   * Records a change, then makes it. The two cannot share a transaction: each process changes the
   * states by compare and set, in statements that serve many connections. The entry comes first, so
   * that no change stands without one. When the hub fails in between, the client gets an error and
   * repeats the command, which then makes the change.
   */
  async function change (connectionId: string, { entryOf, make }: Change): Promise<UpstreamView> {
    const { id } = await connections.get(connectionId)
    const read = await readerOf(id)
    await database.transaction(async ({ em, query }) => {
      const connection = requireConnection(id, await lockConnection(em, id))
      const entry = entryOf(await read(query, connection))
      await recordChange(query, { ...entry, connectionId: id, objectId: id, objectName: connection.name })
    })
    await make(id)
    await removeOfDeleted(id)
    return show(id)
  }

  /** A deletion in between has removed the state before the change stored it again. */
  async function removeOfDeleted (id: string): Promise<void> {
    await database.transaction(async ({ em, query }) => {
      if (await lockConnection(em, id) === null) await statesOfConnection.remove(query, id)
    })
  }

  return {
    show,
    /** Sets the budget of a connection, at most that of its adapter. */
    limit (id: string, terms: BudgetBody): Promise<UpstreamView> {
      const { kind, name, tokenId } = currentActor()
      return change(id, {
        entryOf ({ budget: { declared, own } }) {
          refuseAbove(declared, terms)
          return { action: 'connection.budget', changes: changesOf(termsOf(own), termsOf(terms)) }
        },
        make: id => upstream.setBudget(id, { ...terms, by: { kind, name, tokenId } })
      })
    },
    /** Removes the budget that an operator set. */
    unlimit: (id: string): Promise<UpstreamView> =>
      change(id, {
        entryOf: ({ budget: { own } }) => ({ action: 'connection.budget', changes: changesOf(termsOf(own)) }),
        make: id => upstream.setBudget(id, undefined)
      }),
    /** Forgets what the hub has learnt from the answers of the platform. */
    reset: (id: string): Promise<UpstreamView> =>
      change(id, {
        entryOf ({ budget: { learnt }, areas, ...whole }) {
          const ofAreas = areas.map(({ name, learnt, ...area }) => [`area ${name}`, troublesOf({ learnt, ...area })])
          const changes = changesOf({ ...troublesOf({ learnt, ...whole }), ...Object.fromEntries(ofAreas) })
          // The reset also lets the jobs go on that wait, so it is recorded in any case.
          return { action: 'connection.upstream.reset', ...changes.length === 0 ? {} : { changes } }
        },
        make: upstream.reset
      })
  }
}

/** The state of a platform or an area that a reset forgets. */
function troublesOf ({ learnt, throttledUntil, rest, breaker }: Omit<AreaTraffic, 'name'>): Record<string, unknown> {
  return withoutNulls({ learnt, throttledUntil, rest, breaker: breaker.state === 'closed' ? null : breaker })
}

function refuseAbove (declared: RequestBudget | null, wanted: RequestBudget): void {
  if (declared === null) return
  const members = ['ratePerSecond', 'burst'] as const
  const problems = members.filter(member => wanted[member] > declared[member]).map(member => ({
    pointer: `/${member}`,
    code: 'maximum',
    message: `must be at most ${declared[member]}, as the adapter declares: an operator can only lower its budget`
  }))
  if (problems.length > 0) throw refusal(problems, InvalidRequestError)
}

/** Returns an operator's choice of a budget for the audit, whose entry says who and when. */
function termsOf (own: BudgetBody | UpstreamView['budget']['own']): Record<string, unknown> {
  if (own === null) return {}
  const { ratePerSecond, burst, reason } = own
  return { budget: withoutNulls({ ratePerSecond, burst, reason: reason ?? null }) }
}

/** A member that is null does not exist. */
function changesOf (before: Record<string, unknown>, after: Record<string, unknown> = {}): MemberChange[] {
  return listChanges(withoutNulls(before), withoutNulls(after), () => false)
}

function withoutNulls (members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}
