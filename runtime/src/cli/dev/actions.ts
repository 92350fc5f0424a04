import type { WebhooksDescription } from '@linker/sdk/host'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadedAdapter } from '../../adapters/load.ts'
import type { AdapterView } from '../../adapters/view.ts'
import type { ConnectionView } from '../../connections/schemas.ts'
import { formatTable } from '../../terminal/table.ts'
import type { DeliveryDetail } from '../../webhooks/deliveries/schemas.ts'
import { HubError, type HubClient } from '../hub-client.ts'
import { describeInvocation, invokeMethod, readCall } from '../invoke.ts'
import { describeAnswer, sendEvent } from '../send-event.ts'
import { connectionName } from './connection.ts'
import type { Key } from './keys.ts'

export interface ActionOptions {
  hub: HubClient
  /** The load that serves; undefined before the first. */
  adapter(): LoadedAdapter | undefined
  /** The secret that the hub takes from senders of the platform. */
  webhookSecret(platformType: string): string
  /** Runs the conformance suite, and returns when its report is printed. */
  runSuite(): Promise<void>
  say(text: string): void
  quit(): void
}

/** The keys of `linker dev`, in the order of the help. */
export function openActions (options: ActionOptions): Readonly<Record<string, Key>> {
  const { hub, say, quit } = options
  const called = { method: '', args: '' }
  const sent = { type: '', externalId: '1' }

  /** The author's connection, else the first one of the adapter. */
  async function connection (): Promise<ConnectionView> {
    const { adapterKey } = serving(options).manifest
    const found = (await hub.list('/connections') as ConnectionView[]).filter(one => one.adapterKey === adapterKey)
    const [first] = [...found.filter(({ name }) => name === connectionName), ...found]
    if (first === undefined) throw new HubError('there is no connection: linker connections create makes one')
    return first
  }

  return {
    w: {
      does: 'send a signed test webhook',
      async run (ask) {
        const { id, platformType, config } = await connection()
        const { webhooks } = serving(options).description
        if (webhooks === undefined) throw new HubError('the adapter takes no webhooks')
        const type = await ask('event type', sent.type || offerEvent(webhooks))
        if (type === undefined) return
        const externalId = await ask('external id of the object', sent.externalId)
        if (externalId === undefined) return
        Object.assign(sent, { type, externalId })
        const answer = await sendEvent({
          hub: hub.url,
          target: { id, platformType, config },
          secret: options.webhookSecret(platformType),
          event: {
            eventId: undefined,
            eventType: type,
            object: { type: type.split('.')[0] ?? type, externalId },
            payload: undefined
          },
          webhooks
        })
        say(describeAnswer(answer))
        if (answer.isAccepted && answer.ignored === undefined) say(await followDelivery(hub, answer.deliveryId))
      }
    },
    c: {
      does: 'call a method of a capability',
      async run (ask) {
        const { id } = await connection()
        const method = await ask('method', called.method || offerMethod(serving(options)))
        if (method === undefined) return
        const args = await ask('arguments', method === called.method ? called.args : offerArguments(method))
        if (args === undefined) return
        Object.assign(called, { method, args })
        const call = await readCall(method, splitWords(args))
        say(describeInvocation(method, await invokeMethod(hub, id, { ...call, dryRun: false })))
      }
    },
    t: { does: 'run the conformance suite on the folder', run: () => options.runSuite() },
    s: {
      does: 'show the adapters and the connections',
      async run () {
        say(await describeState(hub))
      }
    },
    q: {
      does: 'quit',
      isAlways: true,
      async run () {
        quit()
      }
    }
  }
}

function serving ({ adapter }: ActionOptions): LoadedAdapter {
  const found = adapter()
  if (found === undefined) throw new HubError('the adapter has not loaded yet')
  return found
}

/** Methods that every adapter with the capability has, and that only read. */
const readingMethods: Readonly<Record<string, string>> = {
  ProductMaster: 'listProducts',
  InventoryMaster: 'listStock',
  OrderProcessorManager: 'getOrder',
  Marketplace: 'listOffers',
  OfferManager: 'getOffer',
  OrderSource: 'listUnread'
}

/** An event that the platform sends, if the adapter says so: only its form tests the mapping. */
function offerEvent ({ source, body, events = {} }: WebhooksDescription): string {
  const mapped = Object.values(source?.eventTypes ?? {}).find(type => type !== null && !type.startsWith('test.'))
  return mapped ?? body?.eventType ?? Object.keys(events)[0] ?? 'stock.changed'
}

function offerMethod ({ description }: LoadedAdapter): string {
  const found = Object.entries(description.capabilities).map(([capability, names]) => {
    const method = readingMethods[capability] ?? names?.find(name => /^(?:list|get)/.test(name)) ?? names?.[0]
    return method === undefined ? capability : `${capability}.${method}`
  })
  return found[0] ?? ''
}

function offerArguments (method: string): string {
  return method.includes('.list') ? '{"limit":10}' : '1'
}

/** Splits at spaces outside of JSON: an argument that begins with `{` or `[` goes on to its end. */
export function splitWords (text: string): string[] {
  const words: string[] = []
  for (const part of text.split(/\s+/).filter(word => word !== '')) {
    const last = words.at(-1)
    if (last !== undefined && isOpen(last)) words[words.length - 1] = `${last} ${part}`
    else words.push(part)
  }
  return words
}

function isOpen (word: string): boolean {
  if (!/^[{["]/.test(word)) return false
  try {
    JSON.parse(word)
    return false
  } catch {
    return true
  }
}

const followMs = 10_000
const followEveryMs = 100
const ends: ReadonlySet<string> = new Set(['succeeded', 'dead', 'cancelled', 'ignored'])

/** Waits until the event of a delivery has been handled, and says what became of it. */
async function followDelivery (hub: HubClient, id: string): Promise<string> {
  const endMs = performance.now() + followMs
  for (;;) {
    const delivery = await findDelivery(hub, id)
    if (performance.now() > endMs || (delivery !== undefined && ends.has(delivery.status))) {
      return delivery === undefined ? 'the hub has not handled the event yet' : describeEnd(delivery)
    }
    await sleep(followEveryMs)
  }
}

/** The hub records a delivery when it has made a job of its event. */
async function findDelivery (hub: HubClient, id: string): Promise<DeliveryDetail | undefined> {
  try {
    return await hub.call('GET', `/webhook-deliveries/${encodeURIComponent(id)}`) as DeliveryDetail
  } catch (error) {
    if (error instanceof HubError && error.problem !== undefined) return undefined
    throw error
  }
}

function describeEnd ({ status, jobId, jobType, problem }: DeliveryDetail): string {
  const why = problem === null ? '' : `, ${problem.code}: ${problem.message}`
  return `the job ${jobId ?? ''} (${jobType ?? ''}) of the event: ${status}${why}`
}

async function describeState (hub: HubClient): Promise<string> {
  const adapters = await hub.call('GET', '/adapters') as AdapterView[]
  const connections = await hub.list('/connections') as ConnectionView[]
  return [
    formatTable(
      ['adapter', 'version', 'state', 'capabilities', 'used by'],
      adapters.map(({ adapterKey, version, state, supportedCapabilities, usedBy }) => [
        adapterKey ?? '-',
        version ?? '-',
        state,
        supportedCapabilities.join(', '),
        String(usedBy)
      ])
    ),
    '',
    connections.length === 0 ? 'No connections.' : formatTable(
      ['connection', 'adapter', 'status', 'id'],
      connections.map(({ name, adapterKey, adapterVersion, status, statusReason, id }) => [
        name,
        `${adapterKey}@${adapterVersion ?? 'latest'}`,
        statusReason === null ? status : `${status}: ${statusReason}`,
        id
      ])
    )
  ].join('\n')
}
