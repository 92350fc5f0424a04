import { setTimeout as delay } from 'node:timers/promises'
import { happens, type Chance } from '../chance.ts'
import type { HookDelivery, Hooks } from './hooks.ts'
import type { Inbox } from './inbox.ts'
import type { Order } from './order.ts'
import type { OrderEventName } from './orders.ts'

/** Accidents of hook deliveries. The inbox still gets every message. */
export interface HookAccidents {
  /** Deliveries that are never sent. */
  drop?: Chance
  /** Deliveries that are sent twice. */
  double?: Chance
  /** How long a delivery waits before it is sent. */
  delayMs?: number
}

/** Each delivery opens a connection, so this also limits the open connections. */
const deliveriesAtOnce = 16

/**
 * Announces what happens to orders: puts a message into the inbox and posts to the hooks. The
 * caller does not wait for the post.
 */
export function createAnnouncements ({ inbox, hooks, random, closing }: {
  inbox: Inbox,
  hooks: Hooks,
  random: () => number,
  closing: AbortSignal
}) {
  const underWay = new Set<Promise<void>>()
  const waiting: Array<() => void> = []
  const ended: HookDelivery[] = []
  let accidents: HookAccidents = {}
  let sending = 0

  function announce (name: OrderEventName, order: Order): void {
    inbox.add({ type: name, payload: order })
    if (!hooks.list().some(({ hookName }) => hookName === name) || happens(accidents.drop ?? false, random)) return
    for (let times = happens(accidents.double ?? false, random) ? 2 : 1; times > 0; times--) {
      const delivery = send(name, order, accidents.delayMs ?? 0).finally(() => underWay.delete(delivery))
      underWay.add(delivery)
    }
  }

  async function send (name: OrderEventName, order: Order, delayMs: number): Promise<void> {
    try {
      if (delayMs > 0) await delay(delayMs, undefined, { signal: closing })
    } catch {
      return
    }
    if (sending >= deliveriesAtOnce) {
      await new Promise<void>(resolve => {
        waiting.push(resolve)
      })
    } else sending += 1
    if (!closing.aborted) ended.push(await hooks.deliver(name, order))
    const next = waiting.shift()
    if (next === undefined) sending -= 1
    else next()
  }

  /** Waits until no delivery is under way. Returns the outcome of every delivery so far. */
  async function settled (): Promise<HookDelivery[]> {
    while (underWay.size > 0) await Promise.all(underWay)
    return [...ended]
  }

  return {
    announce,
    settled,
    setAccidents (wanted: HookAccidents): void {
      accidents = wanted
    }
  }
}
