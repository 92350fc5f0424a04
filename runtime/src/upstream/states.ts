import { LRUCache } from 'lru-cache'
import type { Query } from '../database/database.ts'
import { createBatch } from '../streams/batch.ts'
import { isGuarded, type Changed } from './state.ts'
import { readClock, readGuarded, tryStates, type Versioned } from './store.ts'
import type { UpstreamState } from './stored-state.ts'

/** Changes a state. It must have no other effect: it runs again when another process was faster. */
export type Change<Result> = (state: UpstreamState, now: number) => Changed<Result>

/** The states of all connections, shared with the other processes. */
export interface UpstreamStates {
  /**
   * Changes a state and stores it. Nothing is stored when a change returns the same object, and the
   * state was read less than a second ago.
   */
  change<Result>(connectionId: string, change: Change<Result>): Promise<Result>
  /** The states that guard their connections, as this process knows them. */
  guarded(): ReadonlyMap<string, UpstreamState>
  /** Whether this process changes the state now, so that `guarded` may not know it yet. */
  isChanging(connectionId: string): boolean
  /** Reads what other processes have changed. */
  refresh(): Promise<void>
}

interface Wanted {
  id: string
  change: Change<unknown>
}

/** A change that was made in memory and is not stored yet. */
interface Prepared {
  next: Versioned
  results: { result: unknown }[]
  isStored: boolean
}

const mostKnown = 10_000
const mostGuarded = 10_000
const mostTries = 50
/** How long after its reading a state counts as the newest although it is not stored again. */
const knownForMs = 1_000
const unread = { version: 0, state: {} }

/** Keeps the states in the database. All changes that are asked for together share a statement. */
export function createUpstreamStates (query: Query): UpstreamStates {
  const known = new LRUCache<string, Pick<Versioned, 'version' | 'state'> & { readAt: number }>({ max: mostKnown })
  const guarded = new Map<string, UpstreamState>()
  const changing = new Map<string, number>()
  let aheadMs = 0
  const now = (): number => Date.now() + aheadMs

  // One statement at a time: two of this process would make each other's versions stale.
  const changes = createBatch<Wanted, { result: unknown }>({
    maxItems: 500,
    maxRunning: 1,
    maxWaiting: 100_000,
    run: changeAll
  })

  async function changeAll (wanted: readonly Wanted[]): Promise<{ result: unknown }[]> {
    const done = new Map<Wanted, { result: unknown }>()
    let open = Map.groupBy(wanted, ({ id }) => id)
    for (let tries = 1; open.size > 0; tries++) {
      if (tries > mostTries) throw new Error('other processes changed the state of a connection again and again')
      const tried = new Map([...open].map(([id, changes]) => [id, prepare(id, changes)]))
      const unstored = [...tried.values()].filter(({ isStored }) => !isStored)
      for (const stored of await store(unstored)) stored.isStored = true
      for (const [id, { isStored, results }] of tried) {
        if (!isStored) continue
        open.get(id)?.forEach((change, index) => {
          const result = results[index]
          if (result !== undefined) done.set(change, result)
        })
      }
      open = new Map([...open].filter(([id]) => tried.get(id)?.isStored !== true))
    }
    return wanted.map(change => done.get(change) ?? { result: undefined })
  }

  function prepare (id: string, changes: readonly Wanted[]): Prepared {
    const { version, state, readAt } = known.get(id) ?? { ...unread, readAt: -Infinity }
    const results: { result: unknown }[] = []
    let next = state
    for (const { change } of changes) {
      const changed = change(next, now())
      next = changed.state
      results.push({ result: changed.result })
    }
    const isFresh = performance.now() - readAt < knownForMs
    return { next: { id, version: version + 1, state: next }, results, isStored: next === state && isFresh }
  }

  async function store (prepared: readonly Prepared[]): Promise<Prepared[]> {
    if (prepared.length === 0) return []
    const sentAt = Date.now()
    const attempts = await tryStates(query, prepared.map(({ next }) => next))
    const readAt = performance.now()
    const answers = new Map(attempts.map(attempt => [attempt.id, attempt]))
    const [first] = attempts
    if (first !== undefined) setClock(first.nowMs, sentAt)
    return prepared.filter(({ next }) => {
      const { isStored = false, version, state } = answers.get(next.id) ?? {}
      learn(isStored ? next : { id: next.id, version: version ?? 0, state: state ?? {} }, readAt)
      return isStored
    })
  }

  function learn ({ id, version, state }: Versioned, readAt: number): void {
    known.set(id, { version, state, readAt })
    if (isGuarded(state)) guarded.set(id, state)
    else guarded.delete(id)
  }

  /** The clock of the database ran on while its answer was on the way. */
  function setClock (databaseMs: number, sentAt: number): void {
    aheadMs = databaseMs - (sentAt + Date.now()) / 2
  }

  return {
    async change<Result> (id: string, change: Change<Result>) {
      changing.set(id, (changing.get(id) ?? 0) + 1)
      try {
        const { result } = await changes.add({ id, change })
        return result as Result
      } finally {
        const left = (changing.get(id) ?? 1) - 1
        if (left === 0) changing.delete(id)
        else changing.set(id, left)
      }
    },
    guarded: () => guarded,
    isChanging: id => changing.has(id),
    async refresh () {
      const sentAt = Date.now()
      setClock(await readClock(query), sentAt)
      const askedAt = performance.now()
      const rows = await readGuarded(query, mostGuarded)
      const readAt = performance.now()
      const ids = new Set(rows.map(({ id }) => id))
      for (const id of guarded.keys()) {
        // This process may have stored it after it asked.
        if (!ids.has(id) && (known.get(id)?.readAt ?? 0) < askedAt) guarded.delete(id)
      }
      // A change of this process may have overtaken the answer.
      for (const row of rows) if ((known.get(row.id)?.version ?? 0) <= row.version) learn(row, readAt)
    }
  }
}
