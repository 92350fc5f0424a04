import type { Command } from 'commander'
import { isUuid } from '../text-patterns.ts'
import { findConnectionEvenDeleted } from './connection-name.ts'
import { findOffer } from './find-offer.ts'
import { findOrder } from './find-order.ts'
import type { HubClient } from './hub-client.ts'
import { parsePast, pastForms } from './parse-time.ts'

/** Which jobs a command is about. */
export interface JobFilterOptions {
  connection?: string
  type?: string
  code?: string
  offer?: string
  order?: string
  object?: string
  since?: string
  until?: string
}

/** Adds the options that say which jobs. */
export function withJobFilter (command: Command): Command {
  return command
    .option('--connection <connection>', 'only jobs of this connection, by its name or id; a deleted one, too')
    .option('--type <type>', 'only jobs of this type')
    .option('--code <code>', 'only jobs whose problem has this code')
    .option('--offer <offer>', 'only jobs about this offer, by its id or the beginning, SKU or EAN')
    .option('--order <order>', 'only jobs about this order, by its id or the beginning, or its id at the marketplace')
    .option('--object <key>', 'only jobs about the same object; `show` prints its key')
    .option('--since <time>', `only jobs made at this time or later: ${pastForms}`, parsePast)
    .option('--until <time>', `only jobs made before this time: ${pastForms}`, parsePast)
}

/** Whether any of these options is given. */
export function hasJobFilter (options: JobFilterOptions): boolean {
  const { connection, type, code, offer, order, object, since, until } = options
  return [connection, type, code, offer, order, object, since, until].some(value => value !== undefined)
}

/** The members of a filter, as the API names them. Those that are not given are undefined. */
export async function jobFilterOf (hub: HubClient, options: JobFilterOptions) {
  const { connection, type, code, offer, order, object, since, until } = options
  return {
    connectionId: connection === undefined ? undefined : await findConnectionEvenDeleted(hub, connection),
    jobType: type,
    code,
    // A whole id may be of an offer or order that the hub no longer has; its jobs are still there.
    offerId: offer === undefined || isUuid(offer) ? offer : await findOffer(hub, offer),
    orderId: order === undefined ? undefined : await findOrder(hub, order),
    objectKey: object,
    since,
    until
  }
}
