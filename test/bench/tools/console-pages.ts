import type { NamedRows } from './console-rows.ts'

/** The requests of a page, by what a person opened. All of a page are asked at once. */
export type ConsolePages = Readonly<Record<string, readonly string[]>>

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const figures = (spanMs: number, more = ''): string =>
  `/figures?from=${new Date(Date.now() - spanMs).toISOString()}${more}`

/** The pages of the console and the requests that each sends. */
export function pagesOf (rows: NamedRows): ConsolePages {
  const { connectionId: busy, quietConnectionId: quiet, offerId, variantId, orderId, deadJobId } = rows
  const since = new Date(Date.now() - dayMs).toISOString()
  const marks = `/audit?since=${since}&limit=200`
  return {
    'Overview': ['/attention', '/connections/health?limit=200', figures(hourMs, '&step=60')],
    'Overview, first steps': ['/adapters', '/offers?limit=50'],
    'Search: nothing': ['/search?q=nothing-has-this'],
    'Search: SKU': ['/search?q=SKU-271'],
    'Search: EAN': ['/search?q=5900000000271'],
    'Search: name': ['/search?q=Variant%2027'],
    'Search: id': [`/search?q=${offerId}`],
    'Search: order': ['/search?q=order-271'],
    'Search: request': ['/search?q=request271'],
    'Connections': ['/connections/health?limit=200'],
    'Connections, in error': ['/connections/health?limit=200&status=error'],
    'New connection': ['/adapters'],
    'Connection': [
      `/connections/${busy}`,
      `/connections/${busy}/diagnostics`,
      `/connections/${busy}/upstream`,
      figures(dayMs, `&connectionId=${busy}`),
      `/connections/${busy}/cursors`
    ],
    'Connection, quiet': [`/connections/${quiet}`, `/connections/${quiet}/diagnostics`],
    'Connection, Adapter': [`/connections/${busy}`, `/connections/${busy}/adapter/moves`, '/adapters'],
    'Connection, Webhooks': [
      `/connections/${busy}`,
      `/connections/${busy}/webhooks/refusals`,
      `/webhook-deliveries?connectionId=${busy}`
    ],
    'Connection, Schedules': [`/connections/${busy}`, `/schedules?connectionId=${busy}`],
    'Connections, deleted': ['/connections/deleted'],
    'Offers': ['/offers?limit=50'],
    'Offers, 200': ['/offers?limit=200'],
    'Offers of a connection': [`/offers?connectionId=${busy}`],
    'Offers of a quiet connection': [`/offers?connectionId=${quiet}`],
    'Offers, failed': ['/offers?status=FAILED'],
    'Offers, ended': ['/offers?status=ENDED'],
    'Offers of a connection, failed': [`/offers?connectionId=${busy}&status=FAILED`],
    'Offers with a problem': ['/offers?problem=any'],
    'Offers never shown': ['/offers?problem=never-shown'],
    'Offers that sell too much': ['/offers?warning=oversell'],
    'Offers frozen': ['/offers?warning=stock-frozen'],
    'Offers by a text': ['/offers?q=SKU-271'],
    'Offers of an SKU': ['/offers?sku=SKU-271'],
    'Offers of an EAN': ['/offers?ean=5900000000271'],
    'Offers by their id': ['/offers?externalId=offer-271'],
    'Offers without a variant': ['/offers/unlinked'],
    'Offers without a variant, of an SKU': ['/offers/unlinked?sku=SKU-271'],
    'Offers without a variant, of a connection': [`/offers/unlinked?connectionId=${busy}`],
    'Offer': [`/offers/${offerId}`, `/offers/${offerId}/explanation`, `/jobs?offerId=${offerId}&limit=20`],
    'Stock': ['/stock?limit=50'],
    'Stock that differs': ['/stock?drift=true&limit=50'],
    'Stock that differs, of a connection': [`/stock?drift=true&connectionId=${busy}&limit=50`],
    'Stock that differs, of a quiet connection': [`/stock?drift=true&connectionId=${quiet}&limit=50`],
    'Stock by a text': ['/stock?q=SKU-271&limit=50'],
    'Stock of a connection': [`/stock?connectionId=${busy}&limit=50`],
    'Variant': [`/stock?variantId=${variantId}`, `/variants/${variantId}`],
    'Sweeps': ['/stock/sweeps?limit=50'],
    'Sweeps of a connection': [`/stock/sweeps?connectionId=${busy}`],
    'Orders': ['/orders?limit=50'],
    'Orders, failed': ['/orders?status=failed'],
    'Orders, cancelled': ['/orders?status=cancelled'],
    'Orders of a connection': [`/orders?connectionId=${busy}`],
    'Orders of a connection, failed': [`/orders?connectionId=${quiet}&status=failed`],
    'Orders by their id': ['/orders?externalId=order-271'],
    'Orders since yesterday': [`/orders?since=${since}`],
    'Order': [`/orders/${orderId}`, `/jobs?orderId=${orderId}&limit=20`],
    'Jobs': ['/jobs?limit=50', '/jobs/groups?status=dead', '/jobs/groups?status=waiting'],
    'Jobs, dead': ['/jobs?status=dead'],
    'Jobs, waiting': ['/jobs?status=waiting'],
    'Jobs, queued': ['/jobs?status=queued'],
    'Jobs, running': ['/jobs?status=running'],
    'Jobs, succeeded': ['/jobs?status=succeeded'],
    'Jobs, cancelled': ['/jobs?status=cancelled'],
    'Jobs of a connection': [`/jobs?connectionId=${busy}`],
    'Jobs of a connection, dead': [`/jobs?connectionId=${quiet}&status=dead`],
    'Jobs of a type': ['/jobs?jobType=noop.offers.write'],
    'Jobs of a type that is rare': ['/jobs?jobType=noop.never'],
    'Jobs of a type, dead': ['/jobs?jobType=noop.never&status=dead'],
    'Jobs of a connection, of a type that is rare': [`/jobs?connectionId=${busy}&jobType=noop.never`],
    'Jobs with a code': ['/jobs?code=LNK_ADAPTER_REJECTED'],
    'Jobs with a code that is rare': ['/jobs?code=LNK_ADAPTER_TIMEOUT'],
    'Jobs of an object': ['/jobs?objectKey=object271'],
    'Jobs since yesterday': [`/jobs?since=${since}`],
    'Bulk retries': ['/redrives', '/jobs/groups?status=dead'],
    'Bulk retry': [`/redrives/${rows.redriveId}`],
    'Job': [`/jobs/${deadJobId}`],
    'Trace': ['/jobs?requestId=request271'],
    'Deliveries': ['/webhook-deliveries'],
    'Deliveries that died': ['/webhook-deliveries?status=dead'],
    'Deliveries that were ignored': ['/webhook-deliveries?status=ignored'],
    'Deliveries of a connection': [`/webhook-deliveries?connectionId=${busy}`],
    'Deliveries of an event': ['/webhook-deliveries?eventId=event5002'],
    'Deliveries of a type that is rare': ['/webhook-deliveries?eventType=never.seen'],
    'Delivery': [`/webhook-deliveries/${rows.deliveryId}`],
    'Adapters': ['/adapters'],
    'Figures, last hour': [figures(hourMs), marks, '/connections?limit=200'],
    'Figures, last day': [figures(dayMs), marks, '/connections?limit=200'],
    'Figures, 7 days': [figures(7 * dayMs), marks, '/connections?limit=200'],
    'Figures, 89 days': [figures(89 * dayMs), marks, '/connections?limit=200'],
    'Figures of a connection, 89 days': [figures(89 * dayMs, `&connectionId=${busy}`)],
    'Audit': ['/audit'],
    'Audit of a connection': [`/audit?connectionId=${busy}`],
    'Audit of an actor': ['/audit?actor=token%203'],
    'Audit of an actor who did nothing': ['/audit?actor=nobody'],
    'Audit of an action': ['/audit?action=connection.pause'],
    'Audit of an action that nobody took': ['/audit?action=connection.delete'],
    'Access': ['/tokens', '/session'],
    'System': ['/system'],
    'Schedules': ['/schedules']
  }
}

/** How often an open Overview asks, by request, in seconds. */
export const overviewRhythm = (): readonly (readonly [path: string, everySeconds: number])[] => [
  ['/connections/health?limit=200', 5],
  // The list, and the count in the head of every page: both ask at once, and share a look.
  ['/attention', 15],
  ['/attention', 15],
  [figures(hourMs, '&step=60'), 30]
]
