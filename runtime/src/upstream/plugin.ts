import fp from 'fastify-plugin'
import { releaseAwaiting } from '../jobs/holds/store.ts'
import { runRegularly } from '../run-regularly.ts'
import { namesOf, partOf } from './areas.ts'
import { createGate, type Gate } from './gate.ts'
import { createReleases } from './releases.ts'
import { resetState, withOwn } from './state.ts'
import { createUpstreamStates } from './states.ts'
import type { OwnBudget, UpstreamState } from './stored-state.ts'

declare module 'fastify' {
  interface FastifyInstance {
    upstream: Upstream
  }
}

/** The traffic of all connections to their platforms. */
export interface Upstream extends Pick<Gate, 'begin' | 'end' | 'admit' | 'note'> {
  /** Sets the operator's budget of a connection, or removes it. Its waiting jobs are due. */
  setBudget(connectionId: string, budget: Omit<OwnBudget, 'since'> | undefined): Promise<void>
  /**
   * Forgets the learnt rate, the rest that the platform asked for, and the failures that opened
   * the breaker. The jobs that wait for them are due at once.
   */
  reset(connectionId: string): Promise<void>
}

const refreshEveryMs = 5_000

function countBreakers (state: UpstreamState): number {
  const parts = [state, ...namesOf(state).map(area => partOf(state, area))]
  return parts.filter(({ breaker }) => breaker !== undefined).length
}

/** Makes the gate through which every request of an adapter goes. */
export default fp<{ now: () => Date }>(async (app, { now }) => {
  const { database, metrics } = app
  const log = app.log.child({ component: 'upstream' })
  const states = createUpstreamStates(database.query)
  /** How many breakers of a connection and its areas were not closed. */
  let broken: ReadonlyMap<string, number> = new Map()

  const releases = createReleases({
    states,
    async makeDue (connectionId, parts) {
      // Very many jobs may wait, and each becomes due at another time.
      await database.patiently(() => releaseAwaiting(database.query, connectionId, parts))
      database.notify('jobs')
    },
    log
  })

  const gate = createGate({
    states,
    now,
    onClosed: releases.closed,
    onChanged () {
      database.notify('upstream')
    },
    onOpened (adapter) {
      metrics.breakerOpened(adapter)
    },
    onRefused (adapter, reason) {
      metrics.upstreamWait(adapter, reason)
    },
    log
  })

  // A change that is told during a refresh may not be in its answer.
  let isStale = false

  async function refreshAll (): Promise<void> {
    do {
      isStale = false
      await refresh()
    } while (isStale)
  }

  async function refresh (): Promise<void> {
    await states.refresh()
    const present = new Map([...states.guarded()].map(([id, state]) => [id, countBreakers(state)]))
    // Another process found that the platform works again: the failures counted here are old.
    for (const [id, count] of broken) if (count > (present.get(id) ?? 0)) gate.forget(id)
    broken = present
    metrics.breakersOpen([...present.values()].reduce((sum, count) => sum + count, 0))
  }

  async function change (id: string, next: (state: UpstreamState, now: number) => UpstreamState): Promise<void> {
    const areas = await states.change(id, (state, now) => ({ state: next(state, now), result: namesOf(state) }))
    gate.forget(id)
    database.notify('upstream')
    await releases.changed(id, areas)
  }

  const refreshing = runRegularly({
    run: refreshAll,
    everyMs: refreshEveryMs,
    warning: 'reading the states of the traffic to platforms failed; trying again',
    log
  })
  const unlisten = database.listen('upstream', () => {
    isStale = true
    refreshing.runNow()
  })
  app.addHook('onReady', refresh)
  app.addHook('onClose', async () => {
    unlisten()
    releases.stop()
    await refreshing.stop()
  })

  app.decorate('upstream', {
    begin: gate.begin,
    end: gate.end,
    admit: gate.admit,
    note: gate.note,
    setBudget: (connectionId, budget) => change(connectionId, (state, now) => withOwn(state, budget, now)),
    reset: connectionId => change(connectionId, resetState)
  })
}, { name: 'upstream', dependencies: ['database', 'metrics'] })
