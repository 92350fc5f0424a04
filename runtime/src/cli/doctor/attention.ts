import { lookAt } from '../../attention/look.ts'
import type { AttentionItem, AttentionKind } from '../../attention/schemas.ts'
import { createSharedReferences } from '../../attention/shared-references.ts'
import { openSources } from '../../attention/sources.ts'
import { rollBack, startTransaction } from '../../backup/store.ts'
import type { Config } from '../../config.ts'
import { createRedaction } from '../../connections/redaction.ts'
import { createCredentials } from '../../credentials/credentials.ts'
import type { Query } from '../../database/database.ts'
import { hasTables } from '../../database/has-tables.ts'
import type { Transacting } from '../../database/within-time.ts'
import { eventJobTypes } from '../../events/event-to-job.ts'
import { readUnknownEvents } from '../../webhooks/deliveries/unknown-events.ts'
import type { HubClient } from '../hub-client.ts'
import { messageOf, ok, warning, type Finding } from './finding.ts'

const check = 'attention'
const noAdapters = { find: () => undefined, versions: () => [] }

/** The doctor has checks of its own for these. */
const checkedElsewhere: ReadonlySet<AttentionKind> = new Set([
  'connection-error',
  'adapter-away',
  'pause-open',
  'unsafe-setting'
])

/** Asks the running hub what needs a person. A hub of an older version cannot say it. */
export async function checkAttention (hub: Pick<HubClient, 'call'>): Promise<Finding[]> {
  try {
    return describeAttention(await hub.call('GET', '/attention') as AttentionItem[])
  } catch (error) {
    return [warning(check, `the hub does not say what needs a person: ${messageOf(error)}`, 'update the hub')]
  }
}

/**
 * Reads from the database what needs a person, while no hub answers. Leaves late jobs out, because
 * all jobs wait without a hub.
 */
export async function checkStoredAttention (config: Config, given: Query, now: Date): Promise<Finding[]> {
  try {
    if (!await hasTables(given, ['connections', 'jobs'])) return []
    const query = inTurn(given)
    const credentials = createCredentials(config, () => now)
    const { items } = await lookAt(
      await openSources({
        database: { query, transaction: readingIn(query) },
        connections: createRedaction({ database: { query }, credentials, registry: noAdapters }),
        credentials,
        settings: config,
        listAway: async () => [],
        // The doctor compares the keys itself.
        listUnreadable: async () => [],
        readWorkerAbsence: async () => undefined,
        readMixedStreams: async () => undefined,
        findUnknownEvents: (reading, connections) =>
          readUnknownEvents(reading, connections, {
            registry: noAdapters,
            eventJobsOf: ({ platformType, webhookEvents }) => eventJobTypes(platformType, webhookEvents ?? undefined),
            keptDays: config.webhookKeptDays
          }),
        // The doctor looks at the data directory itself.
        readDisks: async () => ({ own: undefined, isFull: false }),
        listDead: async () => [],
        findSharedReferences: createSharedReferences(() => now),
        readMore: async () => []
      }, now),
      async error => {
        // Tables of another version: each of their sources would fail.
        throw error
      }
    )
    return describeAttention(items.filter(({ kind }) => kind !== 'late-jobs'))
  } catch (error) {
    return [
      warning(
        check,
        `the database does not say what needs a person: ${messageOf(error)}`,
        'start the hub: it brings the tables up to date; then linker attention says it'
      )
    ]
  }
}

/** Runs one statement at a time: the doctor has one connection. */
function inTurn (run: Query): Query {
  let last: Promise<unknown> = Promise.resolve()
  return async <Row extends object>(text: string, values?: readonly unknown[]) => {
    const next = last.then(() => run<Row>(text, values))
    last = next.catch(() => undefined)
    return next
  }
}

function readingIn (query: Query): Transacting['transaction'] {
  return async work => {
    await startTransaction(query)
    try {
      return await work({ query })
    } finally {
      await rollBack(query)
    }
  }
}

/** Each item as a warning: it does not keep the hub from starting. */
export function describeAttention (items: readonly AttentionItem[]): Finding[] {
  const found = items.filter(({ kind, severity }) => severity !== 'info' && !checkedElsewhere.has(kind))
  if (found.length === 0) return [ok(check, 'nothing else needs a person')]
  return found.map(({ title, detail, target }) => warning(check, `${title}. ${detail}`, `GET ${target}`))
}
