import type { WebhookDelivery } from '@linker/sdk'
import type { FastifyInstance } from 'fastify'
import type { AdaptersOptions } from './adapters/adapters.ts'
import { findAway } from './adapters/away-adapters.ts'
import { nameOf, stateOf } from './adapters/load.ts'
import { takeCursors } from './adapters/store.ts'
import { channelItems } from './alerts/channel-items.ts'
import { channelNames } from './alerts/channel.ts'
import { readChannels } from './alerts/store.ts'
import { productsOfConnection } from './catalog/belongings.ts'
import type { Config } from './config.ts'
import type { NamedConnection } from './connections/accounts/store.ts'
import { createConnectionServices } from './connections/adapter-connections.ts'
import type { Belongings } from './connections/deletion/belongings.ts'
import { belonging } from './connections/deletion/store.ts'
import type { Connection } from './connections/entity.ts'
import { openCalled } from './connections/invocation/open-called.ts'
import { requireUnmoved } from './connections/invocation/require-unmoved.ts'
import { refreshKeptFacts } from './connections/kept-facts.ts'
import type { EventJobsOf } from './connections/moves/event-changes.ts'
import { countPins, findConnections, listSummaries, readOldestKeys } from './connections/store.ts'
import { createFlowServices } from './credentials/oauth-flows.ts'
import { ownSealedTables } from './credentials/rewrap/store.ts'
import { findUnreadableKeys } from './credentials/rewrap/unreadable-keys.ts'
import { createSealing } from './credentials/sealing.ts'
import { readKeyIds } from './credentials/store.ts'
import type { Database, Query, Transaction } from './database/database.ts'
import { WebhookProofUnavailableError } from './errors.ts'
import { deliveriesOfConnection } from './events/belongings.ts'
import { eventJobTypes, orderJobTypes, stockJobTypes } from './events/event-to-job.ts'
import { readLastDelivery } from './events/receipts.ts'
import { removeTextsOf } from './events/store.ts'
import { withMappedTopics } from './events/unmapped-topics.ts'
import { countRowsOfConnection, deleteFiguresOf, deleteSamplesOf } from './figures/statements.ts'
import { findRuleUses, rulesOfConnection } from './fulfilment/belongings.ts'
import { coreDeathEffectsOf, coreJobTypes, coreRetryEffectsOf, jobTypeOf, objectKeysOf } from './handlers/core-jobs.ts'
import { adapterHasJob, hasJob, type AdapterOfConnection } from './handlers/has-job.ts'
import type { ObjectNames } from './jobs/object-keys.ts'
import type { ObstacleOf } from './jobs/operation/obstacles.ts'
import { createQueueFigures } from './jobs/queue-figures.ts'
import { readFiguresByConnection } from './jobs/store.ts'
import type { MetricsOptions } from './observability/metrics.ts'
import { batchesOfConnection, findOfferUses, offersOfConnection } from './offers/belongings.ts'
import type { HigherFacts } from './offers/explanation/read-facts.ts'
import { takeOverLinks } from './offers/former/store.ts'
import { switchedOffJobs } from './offers/quantity-jobs.ts'
import { readConnectionOf, readDrifts } from './offers/store.ts'
import { openOrders, ordersOfConnection } from './orders/belongings.ts'
import { readReservations } from './orders/lines/store.ts'
import { readShipment } from './orders/shipments/store.ts'
import { readOrder } from './orders/store.ts'
import { takeOverOrders } from './orders/take-over.ts'
import { schedulesOfConnection } from './schedules/belongings.ts'
import { parseEvery } from './schedules/slots.ts'
import { stockOfConnection } from './stock/belongings.ts'
import { sweepStock } from './stock/jobs.ts'
import { webhooksOfConnection } from './webhooks/belongings.ts'
import { readUnknownEvents } from './webhooks/deliveries/unknown-events.ts'
import { webhookSecretTable } from './webhooks/rewrap/store.ts'

/**
 * Gives lower floors what they need of higher ones. Each floor declares its needs as options of its
 * plugin. The hub calls none of these functions before it is composed.
 */
export function handDown (app: FastifyInstance, config: Config) {
  const metrics: MetricsOptions = {
    platforms: () => app.adapters.registry.platforms(),
    jobTypes: () => [
      ...coreJobTypes,
      ...app.adapters.registry.records.flatMap(({ adapter }) => Object.keys(adapter?.description.jobs ?? {}))
    ],
    adapterStates: () =>
      app.adapters.registry.records.flatMap(record =>
        record.found === undefined ? [] : [[nameOf(record.found), stateOf(record).state]]
      ),
    queueFigures: createQueueFigures({
      query: (text, values) => app.database.query(text, values),
      nowMs: () => performance.now()
    }),
    streamSizes: () => app.streams.sizes(),
    attentionCounts: () => app.attention.count()
  }

  const eventJobsOf: EventJobsOf = ({ platformType, webhookEvents, webhookRules }, adapter) =>
    eventJobTypes(
      platformType,
      withMappedTopics(webhookEvents ?? undefined, platformType, webhookRules?.source),
      jobType => adapterHasJob(adapter, jobType)
    )

  const readWorkerAbsence = async (query: Query) => app.processes.readWorkerAbsence(query)

  const sealing = createSealing(config)
  const sealedTables = ({ query }: Pick<Database, 'query'>) => [...ownSealedTables(query), webhookSecretTable(query)]

  const noRoutes = { paths: {}, tags: [] }

  return {
    metrics,
    figures: { readLiveJobs: readFiguresByConnection, readDrift: readDrifts },
    authentication: {
      findToken: (hash: string, ownHashes: readonly string[]) => app.tokens.find(hash, ownHashes),
      onRefused (code: string) {
        app.metrics.refusedToken(code)
      }
    },
    adapters: adapterServices(app, config),
    hasJob: (connection: AdapterOfConnection, jobType: string) => hasJob(app.adapters.registry, connection, jobType),
    /** The version that the connection pins judges its deliveries. */
    async isGenuine (connection: AdapterOfConnection & { id: string }, delivery: WebhookDelivery): Promise<boolean> {
      const { proofs } = app.adapters.registry.find(connection.adapterKey, connection.adapterVersion) ?? {}
      if (proofs === undefined) throw new WebhookProofUnavailableError()
      return proofs.isGenuine(connection.id, delivery)
    },
    eventJobsOf,
    description: () => config.role === 'worker' ? noRoutes : app.adapterRoutes.describe(),
    belongings: {
      removed: [
        ...offersOfConnection,
        ...stockOfConnection,
        productsOfConnection,
        rulesOfConnection,
        schedulesOfConnection,
        ...webhooksOfConnection,
        ...deliveriesOfConnection,
        belonging('figures', countRowsOfConnection, deleteFiguresOf, deleteSamplesOf)
      ],
      kept: [ordersOfConnection, batchesOfConnection],
      uses: [findOfferUses, findRuleUses],
      openOrders
    } satisfies Belongings,
    async takeOver (transaction: Transaction, former: NamedConnection, { id }: Pick<Connection, 'id'>) {
      const { query } = transaction
      const links = await takeOverLinks(query, former.id, id)
      const orders = await takeOverOrders(query, former, id)
      await app.jobs.enqueueJobs([...links.jobs, ...orders.jobs], transaction)
      return [
        { what: 'orders', count: orders.count },
        { what: 'links of offers', count: links.count },
        { what: 'cursors', count: await takeCursors(query, former.id, id) }
      ]
    },
    async onSalesRule (transaction: Transaction, { id }: Pick<Connection, 'id'>): Promise<void> {
      await app.jobs.enqueueJobs(await switchedOffJobs(transaction.query, id), transaction)
    },
    explanation: {
      reservationsOf: (variantId: string) => readReservations(app.database.query, variantId),
      lastEventOf: (connectionId: string) => readLastDelivery(app.database.query, connectionId),
      stockJobTypesOf: ({ platformType, webhookEvents }: Connection) =>
        stockJobTypes(platformType, webhookEvents ?? undefined),
      async sweepEveryMsOf (connection: Connection) {
        const schedules = await app.schedules.list([connection])
        const sweep = schedules.find(({ job, enabled }) => enabled && job === sweepStock.type)
        return sweep === undefined ? null : parseEvery(sweep.every)
      }
    } satisfies HigherFacts,
    processes: {
      readAway: async (query: Query) => findAway(app.adapters.registry, await countPins(query)),
      findUnreadable: async (query: Query) => findUnreadableKeys(sealing, sealedTables({ query }))
    },
    diagnostics: { readWorkerAbsence, eventJobsOf },
    attention: {
      listAway: async (query: Query) => app.processes.listAway(query),
      listUnreadable: async (query: Query) => app.processes.listUnreadable(query),
      readWorkerAbsence,
      readMixedStreams: async (query: Query) => app.processes.readMixedStreams(query),
      findUnknownEvents: async (query: Query, connections: readonly Connection[]) =>
        readUnknownEvents(query, connections, {
          registry: app.adapters.registry,
          eventJobsOf,
          keptDays: config.webhookKeptDays
        }),
      listDead: async () => app.streams.listDead(),
      async readMore () {
        const configured = channelNames.filter(name => config.alerts[name] !== undefined)
        return configured.length === 0 ? [] : channelItems(await readChannels(app.database.query, configured))
      }
    },
    orders: {
      removeEventTexts: removeTextsOf,
      orderJobTypesOf: ({ platformType, webhookEvents }: Connection) =>
        orderJobTypes(platformType, webhookEvents ?? undefined)
    },
    rewrap: {
      sealing,
      sealedTables
    },
    readKeyIds: () => readKeyIds(app.database.query),
    jobs: {
      jobTypeOf,
      redactorsOf: (ids: readonly (string | null)[]) => app.connections.redactorsOf(ids),
      connectionStates: (ids: readonly string[]) => findConnections(app.database.query, ids),
      objectKeysOf: async (member: keyof ObjectNames, id: string, connectionId: string | undefined) =>
        objectKeysOf(
          member,
          id,
          connectionId === undefined ? await connectionsNaming(app.database, member, id) : [connectionId]
        ),
      findDeathEffects: coreDeathEffectsOf,
      findRetryEffects: coreRetryEffectsOf,
      findObstacles: async (query: Query, ids: readonly (string | null)[]): Promise<ObstacleOf> => {
        const found = await findConnections(query, ids.filter(id => id !== null))
        const connections = new Map(found.map(connection => [connection.id, connection]))
        return ({ jobType, connectionId }) => {
          if (connectionId === null) return coreJobTypes.includes(jobType) ? undefined : 'type-unknown'
          const connection = connections.get(connectionId)
          if (connection === undefined) return 'connection-deleted'
          const { adapterKey, adapterVersion = null } = connection
          if (!hasJob(app.adapters.registry, { adapterKey, adapterVersion }, jobType)) return 'type-unknown'
          return connection.status === 'disabled' ? 'connection-disabled' : undefined
        }
      }
    },
    // The order matters: after `setEpoch`, no process accepts a webhook by an old copy of the
    // connection.
    async onConnectionChanged (connection: Connection): Promise<void> {
      await app.streams.setEpoch(connection.id, connection.version)
      await app.webhookConnections.refresh(connection.id)
      app.schedules.wake()
      app.database.notify('jobs')
    }
  }
}

/**
 * The connections whose jobs may be about an offer or order. The jobs of a removed offer or order
 * remain, and the hub no longer knows their connection, so it looks on all.
 */
async function connectionsNaming (database: Database, member: keyof ObjectNames, id: string): Promise<string[]> {
  const { query } = database
  const known = member === 'offerId' ? [await readConnectionOf(query, id)] : await connectionsOfOrder(query, id)
  const ids = known.filter(found => typeof found === 'string')
  return ids.length > 0 ? ids : connectionIds(database)
}

/** Its marketplace, its shop and its carrier. */
async function connectionsOfOrder (query: Query, id: string): Promise<(string | null | undefined)[]> {
  const [order, shipment] = [await readOrder(query, id), await readShipment(query, id)]
  return [order?.connectionId, order?.destinationConnectionId, shipment?.connectionId]
}

async function connectionIds ({ query }: Database): Promise<string[]> {
  return (await listSummaries(query)).map(({ id }) => id)
}

type AdapterServices = Pick<
  AdaptersOptions,
  | 'enqueueJobs'
  | 'credentials'
  | 'platformServicesOf'
  | 'openCalled'
  | 'requireUnmoved'
  | 'readPins'
  | 'readOldestKeys'
  | 'onSwapped'
>

/** Makes the services that adapters may use beyond their own state. */
function adapterServices (app: FastifyInstance, config: Config): AdapterServices {
  const sealing = createSealing(config)
  const log = app.log.child({ component: 'adapter' })
  return {
    enqueueJobs: (requests, transaction) => app.jobs.enqueueJobs(requests, transaction),
    credentials: {
      readCredentials: id => app.connections.readCredentials(id),
      renewCredentials: (id, value, replaces) => app.connections.renewCredentials(id, value, replaces),
      refuseRefresh: (id, refusal) => app.connections.refuseRefresh(id, refusal)
    },
    openCalled: (...args) => openCalled(app.connections, ...args),
    requireUnmoved,
    platformServicesOf: found => ({
      ...createFlowServices({ database: app.database, sealing, platformType: found.manifest.platformType }),
      ...createConnectionServices({
        connections: () => app.connections,
        adapter: found,
        query: (text, values) => app.database.query(text, values),
        onFailure (err) {
          log.error({ err, adapter: nameOf(found) }, 'storing the connection of an adapter failed')
        }
      })
    }),
    readPins: () => countPins(app.database.query),
    readOldestKeys: () => readOldestKeys(app.database.query),
    async onSwapped ({ manifest: { adapterKey }, proofs }) {
      if (config.role !== 'worker') {
        app.adapterRoutes.refresh()
        proofs?.warm()
      }
      await refreshKeptFacts(app.database.query, app.adapters.registry, app.log)
      const summaries = await listSummaries(app.database.query)
      const ofKey = summaries.filter(connection => connection.adapterKey === adapterKey)
      await Promise.all(ofKey.map(({ id }) => app.webhookConnections.refresh(id)))
      app.schedules.wake()
    }
  }
}
