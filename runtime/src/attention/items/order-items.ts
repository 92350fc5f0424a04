import type { LateOrders, UnreadShop } from '../../orders/late/store.ts'
import { problemWords } from '../../orders/problem-words.ts'
import type { StandingOrders, TroubledOrders } from '../../orders/store.ts'
import type { UntoldOrders } from '../../orders/untold/store.ts'
import { argumentOf, countOf } from '../../words.ts'
import type { AttentionItem, AttentionKind } from '../schemas.ts'
import { newItem, orMore, shortText, type Named, type Names } from './new-item.ts'

const hourMs = 3_600_000
export const mostOrders = 10_000

/** How long an order may have a status before somebody should look, in milliseconds. */
export const orderWaits = { failed: 0, awaiting_mapping: 0, ready: hourMs } as const
type LookedAt = keyof typeof orderWaits

interface Wording {
  kind: AttentionKind
  severity: 'error' | 'warning'
  title(orders: string): string
  detail(orders: string, of: Named): string
}

const wordings: Readonly<Record<LookedAt, Wording>> = {
  failed: {
    kind: 'failed-orders',
    severity: 'error',
    title: orders => `${orders} failed`,
    detail: (orders, of) =>
      `${orders} of '${of.name}' did not reach the shop; \`linker orders list --connection ${argumentOf(of)} ` +
      '--status failed` names the problems, and `linker orders retry` tries again.'
  },
  awaiting_mapping: {
    kind: 'unmapped-orders',
    severity: 'error',
    title: orders => `${orders} without a variant`,
    detail: (orders, of) =>
      `${orders} of '${of.name}' sold an offer that is linked to no variant; \`linker offers marketplace ` +
      `${argumentOf(of)}\` finds the offer and its variants, and \`linker offers link\` links it.`
  },
  ready: {
    kind: 'stuck-orders',
    severity: 'warning',
    title: orders => `${orders} stuck`,
    detail: (orders, of) =>
      `${orders} of '${of.name}' did not reach the shop within an hour; \`linker orders list --connection ` +
      `${argumentOf(of)} --status ready\` names them, and \`linker connections diagnose\` on the shop says why.`
  }
}

/** Makes items of the orders that do not go on. */
export function orderItems (standing: readonly StandingOrders[], names: Names): AttentionItem[] {
  return standing.flatMap(({ connectionId, status, count, since }) => {
    const connection = names.get(connectionId)
    const wording = isLookedAt(status) ? wordings[status] : undefined
    if (connection === undefined || wording === undefined) return []
    const orders = ordersOf(count)
    return [newItem({
      kind: wording.kind,
      severity: wording.severity,
      since,
      count,
      connection,
      title: `'${connection.name}': ${wording.title(orders)}`,
      detail: wording.detail(orders, connection),
      target: `/orders?connectionId=${connectionId}&status=${status}`
    })]
  })
}

/** Makes items of the shipped orders that a setting keeps from the marketplace. */
export function untoldItems (untold: readonly UntoldOrders[], names: Names): AttentionItem[] {
  return untold.flatMap(({ connectionId, setting, count, since }) => {
    const connection = names.get(connectionId)
    if (connection === undefined) return []
    const orders = count === 1 ? '1 shipped order was' : `${count}${orMore(count, mostOrders)} shipped orders were`
    const { name } = connection
    const edit = (value: boolean) =>
      `\`linker connections edit ${argumentOf(connection)} --config ${setting}=${value}\``
    return [newItem({
      kind: 'untold-shipments',
      severity: 'warning',
      since,
      count,
      connection,
      of: setting,
      title: `${orders} not told to '${name}'`,
      detail: `The config of '${name}' does not say whether the hub tells the marketplace of shipments, so it does ` +
        `not; ${edit(true)} switches it on and tells these orders too, and ${edit(false)} says that you tell them ` +
        'yourself.',
      target: `/connections/${connectionId}`
    })]
  })
}

/** Makes items of the orders that their marketplace should have seen shipped by now. */
export function lateShipmentItems (late: readonly LateOrders[], names: Names): AttentionItem[] {
  return late.flatMap(({ connectionId, hours, count, since, oldestExternalId }) => {
    const connection = names.get(connectionId)
    if (connection === undefined) return []
    const orders = ordersOf(count)
    return [newItem({
      kind: 'late-shipments',
      severity: 'warning',
      since,
      count,
      connection,
      title: `'${connection.name}': ${orders} not shipped within ${countOf(hours, 'hour')}`,
      detail: `${orders} of '${connection.name}' ${count === 1 ? 'is' : 'are'} older than ${countOf(hours, 'hour')} ` +
        `(setting \`shipsWithin\`) and not shipped; the oldest is '${shortText(oldestExternalId)}'. Ship ` +
        `${count === 1 ? 'it' : 'them'} in the shop; \`linker orders list --connection ${argumentOf(connection)} ` +
        '--status created` names those that the shop has.',
      target: `/orders?connectionId=${connectionId}`
    })]
  })
}

/** Makes items of the shops whose orders the hub cannot read. */
export function unreadShopItems (unread: readonly UnreadShop[], names: Names): AttentionItem[] {
  return unread.flatMap(({ connectionId, since }) => {
    const connection = names.get(connectionId)
    if (connection === undefined) return []
    return [newItem({
      kind: 'unread-shops',
      severity: 'error',
      since,
      connection,
      title: `The orders in '${connection.name}' were not read for an hour`,
      detail: `The hub does not learn which orders '${connection.name}' has shipped, so no marketplace does; ` +
        `\`linker connections diagnose ${argumentOf(connection)}\` says why its polls do not succeed.`,
      target: `/connections/${connectionId}/diagnostics`
    })]
  })
}

function isLookedAt (status: string): status is LookedAt {
  return Object.hasOwn(orderWaits, status)
}

/** Makes items of the orders that go on, or are over, and have a problem all the same. */
export function troubledOrderItems (troubled: readonly TroubledOrders[], names: Names): AttentionItem[] {
  return troubled.flatMap(({ connectionId, code, count, since }) => {
    const connection = names.get(connectionId)
    // A newer hub may have written a code that this one does not know.
    const words = Object.hasOwn(problemWords, code) ? problemWords[code] : undefined
    if (connection === undefined) return []
    const { what = 'with a problem', next = 'look at the order' } = words ?? {}
    const orders = ordersOf(count)
    return [newItem({
      kind: 'troubled-orders',
      severity: 'warning',
      since,
      count,
      connection,
      code,
      of: code,
      title: `'${connection.name}': ${orders} ${what}`,
      detail: `'${connection.name}' has ${orders} ${what}: ${next}. ` +
        `\`linker orders list --connection ${argumentOf(connection)} --problem ${code}\` names ` +
        `${count === 1 ? 'it' : 'them'}; \`linker orders settle\` ends the problem of an order that somebody saw to.`,
      target: `/orders?connectionId=${connectionId}&problem=${code}`
    })]
  })
}

function ordersOf (count: number): string {
  return count === 1 ? countOf(1, 'order') : `${count}${orMore(count, mostOrders)} orders`
}
