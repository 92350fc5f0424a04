import { listEndingTokens } from '../access/store.ts'
import type { Connections } from '../connections/connections.ts'
import type { Connection } from '../connections/entity.ts'
import type { Credentials } from '../credentials/credentials.ts'
import type { OpeningProcess } from '../credentials/rewrap/unreadable-keys.ts'
import type { Database, Query } from '../database/database.ts'
import { withinTime, type Transacting } from '../database/within-time.ts'
import { listSilent, readDeliveryTimes } from '../events/store.ts'
import { readLate } from '../jobs/activity/store.ts'
import { readLeftGroups } from '../jobs/groups/store.ts'
import { listWaiting } from '../jobs/redrive/store.ts'
import type { ReadWorkerAbsence } from '../jobs/worker-absence.ts'
import { countOversoldOffers, countRefusedOffers } from '../offers/find/store.ts'
import { findLostOffers } from '../offers/lost/store.ts'
import { pollShopOrders } from '../orders/jobs.ts'
import { countLateOrders, listUnreadShops } from '../orders/late/store.ts'
import { countOrdersInTrouble, countOrdersStanding } from '../orders/store.ts'
import { countUntoldOrders } from '../orders/untold/store.ts'
import { keepScheduled, shopOrdersSchedule } from '../schedules/plan.ts'
import { countJumpedStock } from '../stock/store.ts'
import { listHeldSweeps } from '../stock/sweeps/store.ts'
import type { ReadMixedStreams } from '../streams/mixed-streams.ts'
import type { DeadMessages } from '../streams/port.ts'
import { findBreakers, findLongRests } from '../upstream/evidence.ts'
import { readGuarded } from '../upstream/store.ts'
import type { UnknownEvents } from '../webhooks/deliveries/unknown-events.ts'
import { readLateCounts } from '../webhooks/refusals/store.ts'
import { listDoubtfulInstalls } from '../webhooks/store.ts'
import { readDeadCauses, withoutSecrets } from './dead-causes.ts'
import {
  endedMs,
  endingCredentialsItems,
  endingTokenItems,
  endOfCredentials,
  soonMs,
  type EndingCredentials
} from './items/access-items.ts'
import { connectionItems } from './items/connection-items.ts'
import { deadJobItems, lateJobItems, mostGroups, mostLateJobs, waitingRedriveItems } from './items/job-items.ts'
import type { Names } from './items/new-item.ts'
import {
  lateShipmentItems,
  mostOrders,
  orderItems,
  orderWaits,
  troubledOrderItems,
  unreadShopItems,
  untoldItems
} from './items/order-items.ts'
import {
  breakerItems,
  ignoredEventItems,
  refusedMs,
  refusedWebhookItems,
  restItems,
  silentMs,
  silentWebhookItems,
  unreachedWebhookItems,
  type LongRest,
  type OpenBreaker
} from './items/platform-items.ts'
import { mixedStreamsItems, noWorkerItems, unreadableKeyItems } from './items/process-items.ts'
import { diskItems, deadMessageItems, type Disks } from './items/server-items.ts'
import { channelSettingItems, settingItems, type JudgedSettings } from './items/setting-items.ts'
import {
  heldSweepItems,
  lostOfferItems,
  oversellItems,
  refusedQuantityItems,
  sharedReferenceItems,
  stockJumpItems
} from './items/stock-items.ts'
import type { Source } from './look.ts'
import { listConnections, readConnectionFacts, type ListAway } from './read-connections.ts'
import type { AttentionItem } from './schemas.ts'
import type { FindSharedReferences } from './shared-references.ts'

/** The events of connections that started no job, by the id of the connection. */
export type FindUnknownEvents = (
  this: void,
  query: Query,
  connections: readonly Connection[]
) => Promise<ReadonlyMap<string, readonly UnknownEvents[]>>

export interface SourceServices {
  database: Transacting & Pick<Database, 'query'>
  connections: Pick<Connections, 'redactorsOf'>
  credentials: Pick<Credentials, 'readMany'>
  settings: JudgedSettings
  listAway: ListAway
  listUnreadable(this: void, query: Query): Promise<OpeningProcess[]>
  readWorkerAbsence: ReadWorkerAbsence
  readMixedStreams: ReadMixedStreams
  findUnknownEvents: FindUnknownEvents
  findSharedReferences: FindSharedReferences
  readDisks(this: void): Promise<Disks>
  listDead(this: void): Promise<DeadMessages[]>
  /** The items of a higher floor. */
  readMore(this: void): Promise<AttentionItem[]>
}

/** How long the database may take for one statement of a look. */
const statementMs = 2_000
/** How long it may take to read a whole catalog. */
const wholeMs = 10_000
const lateMs = 300_000
const mostTokens = 100
const mostRedrives = 100
const mostGuarded = 1_000

/** The facts and tools that all sources of one look share. */
interface Scene {
  services: SourceServices
  connections: readonly Connection[]
  /** The connections that are not disabled. */
  enabled: readonly Connection[]
  enabledIds: readonly string[]
  names: Names
  nowMs: number
  within<Result>(this: void, work: (query: Query) => Promise<Result>): Promise<Result>
}

/**
 * Makes the sources of one look. Reads the connections first: all other sources need their names.
 */
export async function openSources (services: SourceServices, now: Date): Promise<Source[]> {
  const within: Scene['within'] = work => withinTime(services.database, statementMs, work)
  const connections = await within(listConnections)
  const enabled = connections.filter(({ status }) => status !== 'disabled')
  const scene: Scene = {
    services,
    connections,
    enabled,
    enabledIds: enabled.map(({ id }) => id),
    names: new Map(connections.map(({ id, name }) => [id, { id, name }])),
    nowMs: now.getTime(),
    within
  }
  return [...ofPlatforms(scene), ...ofJobs(scene), ...ofTrade(scene), ...ofAccess(scene)]
}

function ofPlatforms (scene: Scene): Source[] {
  const { services, connections, enabledIds, names, nowMs, within } = scene
  return [
    {
      name: 'the connections',
      kinds: ['connection-error', 'adapter-away', 'account-shared', 'pause-open', 'schedules-off'],
      async read () {
        const { database, listAway, connections: { redactorsOf } } = services
        return connectionItems(await readConnectionFacts(database.query, connections, { listAway, redactorsOf }), nowMs)
      }
    },
    {
      name: 'the traffic to the platforms',
      kinds: ['breaker-open', 'platform-resting'],
      async read () {
        const { breakers, rests } = await readTroubles(services, enabledIds, nowMs)
        return [...breakerItems(breakers, names, nowMs), ...restItems(rests, names)]
      }
    },
    {
      name: 'the refused webhooks',
      kinds: ['refused-webhooks'],
      read: async () => within(query => readRefused(query, scene))
    },
    {
      name: 'the installs of webhooks',
      kinds: ['unreached-webhooks'],
      read: async () => within(query => readUnreached(query, scene))
    },
    {
      name: 'the last webhooks',
      kinds: ['silent-webhooks'],
      async read () {
        const before = new Date(nowMs - silentMs)
        return silentWebhookItems(await within(query => listSilent(query, enabledIds, before)), names, nowMs)
      }
    },
    {
      name: 'the ignored events',
      kinds: ['ignored-events'],
      read: async () => ignoredEventItems(await readIgnored(scene), names)
    }
  ]
}

function ofJobs (scene: Scene): Source[] {
  const { services, enabledIds, names, nowMs, within } = scene
  return [
    {
      name: 'the processes',
      kinds: ['no-worker'],
      read: async () => noWorkerItems(await within(services.readWorkerAbsence), nowMs)
    },
    {
      name: 'the streams of the processes',
      kinds: ['mixed-streams'],
      read: async () => mixedStreamsItems(await within(services.readMixedStreams))
    },
    { name: 'the disks', kinds: ['disk-space'], read: async () => diskItems(await services.readDisks()) },
    {
      name: 'the dead messages',
      kinds: ['dead-messages'],
      read: async () => deadMessageItems(await services.listDead(), nowMs)
    },
    {
      name: 'dead jobs',
      kinds: ['dead-jobs'],
      read: async () => readDead(scene)
    },
    {
      name: 'the redrives',
      kinds: ['waiting-redrive'],
      read: async () => waitingRedriveItems(await within(query => listWaiting(query, mostRedrives)), names, nowMs)
    },
    {
      name: 'the queue',
      kinds: ['late-jobs'],
      read: async () =>
        lateJobItems(await within(query => readLate(query, enabledIds, lateMs, mostLateJobs)), names, nowMs)
    }
  ]
}

function ofTrade ({ services, connections, enabled, enabledIds, names, within }: Scene): Source[] {
  const ids = connections.map(({ id }) => id)
  return [
    {
      name: 'the sweeps of stock',
      kinds: ['held-sweep'],
      read: async () => heldSweepItems(await within(query => listHeldSweeps(query, enabledIds)), names)
    },
    {
      name: 'the stock that jumped',
      kinds: ['stock-jumps'],
      read: async () => stockJumpItems(await within(query => countJumpedStock(query)), names)
    },
    {
      name: 'offers that may oversell',
      kinds: ['oversell'],
      read: async () => oversellItems(await within(query => countOversoldOffers(query)), names)
    },
    {
      name: 'the refused quantities',
      kinds: ['refused-quantities'],
      read: async () => refusedQuantityItems(await within(query => countRefusedOffers(query)), names)
    },
    {
      name: 'the offers that lost their variant',
      kinds: ['lost-offers'],
      read: async () => lostOfferItems(await within(findLostOffers), names)
    },
    {
      name: 'the references of the shops',
      kinds: ['shared-references'],
      read: async () =>
        sharedReferenceItems(await withinTime(services.database, wholeMs, services.findSharedReferences), names)
    },
    {
      name: 'the orders',
      kinds: ['failed-orders', 'unmapped-orders', 'stuck-orders'],
      read: async () =>
        orderItems(await within(query => countOrdersStanding(query, ids, orderWaits, mostOrders)), names)
    },
    {
      name: 'the problems of orders',
      kinds: ['troubled-orders'],
      read: async () => troubledOrderItems(await within(query => countOrdersInTrouble(query, ids, mostOrders)), names)
    },
    {
      name: 'the orders that are not shipped in time',
      kinds: ['late-shipments'],
      read: async () =>
        lateShipmentItems(await within(query => countLateOrders(query, promisesOf(enabled), mostOrders)), names)
    },
    {
      name: 'the polls of the orders in shops',
      kinds: ['unread-shops'],
      read: async () =>
        unreadShopItems(
          await within(async query => {
            const asked = { name: shopOrdersSchedule, defaults: services.settings.file.schedules ?? {} }
            const connectionIds = await keepScheduled(query, { ...asked, connectionIds: polledOf(enabled) })
            return listUnreadShops(query, connectionIds)
          }),
          names
        )
    },
    {
      name: 'the shipments that no marketplace was told of',
      kinds: ['untold-shipments'],
      read: async () => untoldItems(await within(query => countUntoldOrders(query, enabledIds, mostOrders)), names)
    }
  ]
}

/** The connections that say how soon their orders have to be shipped. */
function promisesOf (connections: readonly Connection[]): { id: string, hours: number }[] {
  return connections.flatMap(({ id, settings: { shipsWithin: hours } }) => hours === undefined ? [] : [{ id, hours }])
}

/** The shops whose orders nothing that somebody did keeps from being read. */
function polledOf (connections: readonly Connection[]): string[] {
  const isPaused = ({ pauses }: Connection): boolean =>
    pauses.some(({ capability }) => capability === null || pollShopOrders.needs.includes(capability))
  return connections.filter(connection => connection.status === 'active' && !isPaused(connection)).map(({ id }) => id)
}

function ofAccess ({ services, enabled, nowMs, within }: Scene): Source[] {
  return [
    {
      name: 'the tokens',
      kinds: ['ending-token'],
      async read () {
        const span = { endedAfter: new Date(nowMs - endedMs), now: new Date(nowMs), soonMs, limit: mostTokens }
        return endingTokenItems(await within(query => listEndingTokens(query, span)), nowMs)
      }
    },
    {
      name: 'the keys of the credentials',
      kinds: ['credentials-unreadable'],
      read: async () => unreadableKeyItems(await within(services.listUnreadable))
    },
    {
      name: 'the credentials',
      kinds: ['ending-credentials'],
      read: async () => endingCredentialsItems(await readEnding(services, enabled), nowMs)
    },
    { name: 'the settings', kinds: ['unsafe-setting'], read: async () => settingItems(services.settings) },
    {
      name: 'the channels of the alerts',
      kinds: ['no-alert-channel'],
      read: async () => channelSettingItems(services.settings, oldestOf(enabled), nowMs)
    },
    { name: 'the alerts', kinds: ['alert-channel'], read: services.readMore }
  ]
}

function oldestOf (connections: readonly Connection[]): Date | undefined {
  return connections.map(({ createdAt }) => createdAt).toSorted((a, b) => a.getTime() - b.getTime())[0]
}

async function readRefused (query: Query, { enabledIds, names, nowMs }: Scene): Promise<AttentionItem[]> {
  const refusals = await readLateCounts(query, enabledIds, new Date(nowMs - refusedMs))
  if (refusals.length === 0) return []
  const times = await readDeliveryTimes(query, refusals.map(({ connectionId }) => connectionId))
  return refusedWebhookItems(refusals, times, names)
}

async function readDead ({ services, names, nowMs, within }: Scene): Promise<AttentionItem[]> {
  const { groups, causes } = await within(async query => {
    const { groups: left } = await readLeftGroups(query)
    return {
      groups: left,
      causes: await readDeadCauses(query, left.slice(0, mostGroups).map(group => group.sampleJobId))
    }
  })
  const quoted = [...new Set(causes.flatMap(({ connectionId }) => connectionId ?? []))].filter(id => names.has(id))
  const redactorOf = quoted.length === 0 ? undefined : await services.connections.redactorsOf(quoted)
  return deadJobItems(groups, {
    causes: new Map(causes.map(cause => [cause.jobId, withoutSecrets(cause, redactorOf)])),
    names,
    nowMs
  })
}

async function readUnreached (query: Query, { enabledIds, names }: Scene): Promise<AttentionItem[]> {
  const installs = await listDoubtfulInstalls(query, enabledIds)
  if (installs.length === 0) return []
  const times = await readDeliveryTimes(query, installs.map(({ connectionId }) => connectionId))
  return unreachedWebhookItems(installs, times, names)
}

/** Senders choose the names of the types. */
async function readIgnored ({ services, enabled, within }: Scene): Promise<Map<string, UnknownEvents[]>> {
  const found = await within(query => services.findUnknownEvents(query, enabled))
  if (found.size === 0) return new Map()
  const redactorOf = await services.connections.redactorsOf([...found.keys()])
  return new Map([...found].map(([connectionId, ofTypes]) => [
    connectionId,
    ofTypes.map(events => ({ ...events, eventType: String(redactorOf(connectionId)(events.eventType)) }))
  ]))
}

async function readTroubles (
  { database, connections }: SourceServices,
  connectionIds: readonly string[],
  nowMs: number
): Promise<{ breakers: OpenBreaker[], rests: LongRest[] }> {
  const present = new Set(connectionIds)
  const guarded = (await withinTime(database, statementMs, query => readGuarded(query, mostGuarded)))
    .filter(({ id }) => present.has(id))
  const breakers = guarded.flatMap(({ id, state }) =>
    findBreakers(state).map(found => ({ connectionId: id, ...found }))
  )
  const rests = guarded.flatMap(({ id, state }) =>
    findLongRests(state, nowMs).map(found => ({ connectionId: id, ...found }))
  )
  const quoted = new Set([...breakers, ...rests].map(({ connectionId }) => connectionId))
  if (quoted.size === 0) return { breakers, rests }
  const redactorOf = await connections.redactorsOf([...quoted])
  const redact = (connectionId: string, text: string): string => String(redactorOf(connectionId)(text))
  return {
    breakers: breakers.map(found => ({ ...found, failure: redact(found.connectionId, found.failure) })),
    rests: rests.map(found => ({ ...found, reason: redact(found.connectionId, found.reason) }))
  }
}

/** Credentials that the hub cannot read are left out: their connection shows that. */
async function readEnding (
  { database, credentials }: SourceServices,
  connections: readonly Connection[]
): Promise<EndingCredentials[]> {
  const withCredentials = connections.flatMap(({ id, name, credentialsRef }) =>
    typeof credentialsRef === 'string' ? [{ id, name, credentialsRef }] : []
  )
  if (withCredentials.length === 0) return []
  const stored = await withinTime(
    database,
    statementMs,
    query => credentials.readMany(query, withCredentials.map(({ credentialsRef }) => credentialsRef))
  )
  return withCredentials.flatMap(({ id, name }, index) => {
    const found = stored[index]
    const expiresAt = found === undefined || found instanceof Error ? undefined : endOfCredentials(found.plain)
    return expiresAt === undefined ? [] : [{ connection: { id, name }, expiresAt }]
  })
}
