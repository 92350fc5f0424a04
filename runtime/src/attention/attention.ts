import fp from 'fastify-plugin'
import pTimeout from 'p-timeout'
import type { Config } from '../config.ts'
import type { OpeningProcess } from '../credentials/rewrap/unreadable-keys.ts'
import type { Database, Query } from '../database/database.ts'
import { spaceOf } from '../database/free-bytes.ts'
import { isDiskFull } from '../database/infrastructure-error.ts'
import type { ReadWorkerAbsence } from '../jobs/worker-absence.ts'
import type { ReadMixedStreams } from '../streams/mixed-streams.ts'
import type { DeadMessages } from '../streams/port.ts'
import { diskItems, type Disks } from './items/server-items.ts'
import { lookAt, type Attention, type Source } from './look.ts'
import type { ListAway } from './read-connections.ts'
import { attentionKinds, type AttentionItem, type AttentionKind } from './schemas.ts'
import { createSharedReferences } from './shared-references.ts'
import { openSources, type FindUnknownEvents } from './sources.ts'

declare module 'fastify' {
  interface FastifyInstance {
    attention: Looking
  }
}

export interface Looking {
  /**
   * Says what needs a person now. Answers with an earlier look when it is at most `maxAgeMs` old.
   */
  look(maxAgeMs?: number): Promise<Attention>
  /**
   * How many items there are of each kind, without the kinds that are unknown now. Undefined while
   * the database does not answer.
   */
  count(): Promise<ReadonlyMap<AttentionKind, number> | undefined>
}

export interface AttentionOptions {
  config: Config
  now: () => Date
  listAway: ListAway
  listUnreadable: (query: Query) => Promise<OpeningProcess[]>
  readWorkerAbsence: ReadWorkerAbsence
  readMixedStreams: ReadMixedStreams
  findUnknownEvents: FindUnknownEvents
  listDead: () => Promise<DeadMessages[]>
  /** The items of a higher floor. */
  readMore: () => Promise<AttentionItem[]>
}

/** A scrape gets figures that are at most so old. */
const scrapedMs = 15_000
/** How long a scrape waits for a look. */
const scrapeWaitMs = 2_000

/** Says what needs a person, from facts of all folders. */
export default fp<AttentionOptions>(async (app, { config: settings, now, ...more }) => {
  const { database, connections, credentials } = app
  const findSharedReferences = createSharedReferences(now)
  const readDisks = () => readDisksOf(settings, database)
  const services = { database, connections, credentials, settings, readDisks, findSharedReferences, ...more }
  async function noteFailure (err: unknown, { name }: Source): Promise<void> {
    if (isDiskFull(err)) throw err
    // Without the database there is nothing to look at.
    await database.ping()
    app.log.warn({ err, source: name }, 'the hub could not look at a part of what needs a person')
  }
  app.decorate(
    'attention',
    createLooking(async () => {
      try {
        return await lookAt(await openSources(services, now()), noteFailure)
      } catch (error) {
        if (!isDiskFull(error)) throw error
        return onlyTheDisk(await readDisks())
      }
    })
  )
}, { name: 'attention', dependencies: ['database', 'connections', 'credentials'] })

async function readDisksOf (
  { databaseUrl, dataDirectory, isInMemory }: Config,
  database: Pick<Database, 'isDiskFull'>
): Promise<Disks> {
  const hasOwn = databaseUrl === undefined && !isInMemory
  return {
    own: hasOwn ? { directory: dataDirectory, ...await spaceOf(dataDirectory) } : undefined,
    isFull: database.isDiskFull()
  }
}

/** An embedded database answers nothing while its disk is full. */
function onlyTheDisk (disks: Disks): Attention {
  return {
    items: diskItems({ ...disks, isFull: true }),
    unknown: new Set(attentionKinds.filter(kind => kind !== 'disk-space'))
  }
}

/**
 * One look at a time. Those who ask meanwhile share it if it is fresh enough for them, and else all
 * share the next one.
 */
export function createLooking (read: () => Promise<Attention>, clockMs = () => performance.now()): Looking {
  let last: { attention: Promise<Attention>, beganMs: number } | undefined
  let underWay: Promise<void> | undefined
  let next: Promise<Attention> | undefined

  function begin (): Promise<Attention> {
    const begun = { attention: read(), beganMs: clockMs() }
    last = begun
    underWay = begun.attention
      .then(() => undefined, () => {
        if (last === begun) last = undefined
      })
      .finally(() => {
        underWay = undefined
      })
    return begun.attention
  }

  async function look (maxAgeMs = 0): Promise<Attention> {
    if (last !== undefined && clockMs() - last.beganMs < maxAgeMs) return last.attention
    if (next !== undefined) return next
    if (underWay === undefined) return begin()
    next = underWay.then(() => {
      next = undefined
      return begin()
    })
    return next
  }

  return {
    look,
    async count () {
      const attention = await pTimeout(
        look(scrapedMs).catch(() => undefined),
        { milliseconds: scrapeWaitMs, message: false }
      )
      if (attention === undefined) return undefined
      // Without those that nobody could look at: a 0 would say that they are over.
      const known = attentionKinds.filter(kind => !attention.unknown.has(kind))
      const counts = new Map<AttentionKind, number>(known.map(kind => [kind, 0]))
      for (const { kind } of attention.items) {
        const before = counts.get(kind)
        if (before !== undefined) counts.set(kind, before + 1)
      }
      return counts
    }
  }
}
