import pTimeout from 'p-timeout'
import { v7 } from 'uuid'
import { asError } from '../as-error.ts'
import type { Looking } from '../attention/attention.ts'
import type { Attention } from '../attention/look.ts'
import type { AttentionItem, AttentionSeverity } from '../attention/schemas.ts'
import type { Database } from '../database/database.ts'
import { AlertsNotConfiguredError } from '../errors.ts'
import type { Channel, ChannelName } from './channel.ts'
import type { Message } from './message.ts'
import { isEmpty, planTelling, quietUntilMs, reminderMs, type Plan } from './plan.ts'
import type { AlertTest } from './schemas.ts'
import {
  readChannels,
  readTellings,
  storeFailed,
  storeTold,
  storeWorks,
  takeDueChannels,
  type ChannelState,
  type Telling
} from './store.ts'

export interface AlertsOptions {
  database: Pick<Database, 'query' | 'transaction'>
  attention: Pick<Looking, 'look'>
  channels: readonly Channel[]
  /** Whether it is for this process to tell people now. */
  isOnDuty: () => Promise<boolean>
  leastSeverity: AttentionSeverity
  quietMs: number
  /** How messages name the hub. */
  from: Pick<Message, 'hubName' | 'hub' | 'page'>
  now: () => Date
  log: { warn(fields: object, message: string): void }
}

export interface Alerts {
  /** The channels that the settings name. */
  readonly channels: readonly ChannelName[]
  /** Tells on each channel what is new, in one message, unless that is for another process. */
  look(this: void, signal: AbortSignal): Promise<void>
  /** Sends a test on each channel. Throws `LNK_ALERTS_NOT_CONFIGURED`. */
  test(this: void): Promise<AlertTest[]>
  /** How the channels work, and what was told on them. */
  read(this: void): Promise<{ states: ChannelState[], tellings: Telling[] }>
  /**
   * Until when an item that came back is not told again on the channel of its last telling;
   * undefined if it is told at the next look, or was told.
   */
  quietUntil(this: void, item: AttentionItem, before: Telling): Date | undefined
}

/** How long a process has for its look. Then another one may look, a little before each minute. */
const lookMs = 50_000
const sendMs = 30_000
const firstRestMs = 60_000
const longestRestMs = 900_000
const longestProblem = 300

/**
 * Tells people what needs them. A message counts as told when its receiver has taken it, so each is
 * sent at least once; a message that failed is made anew, from what is true then.
 */
export function createAlerts (options: AlertsOptions): Alerts {
  const { database, attention, channels, quietMs, now, log } = options
  const names = channels.map(({ name }) => name)

  async function look (signal: AbortSignal): Promise<void> {
    if (channels.length === 0 || !await options.isOnDuty()) return
    const at = now()
    const taken = await takeDueChannels(database.query, names, { now: at, until: new Date(at.getTime() + lookMs) })
    if (taken.length === 0) return
    const seen = await attention.look()
    const tellings = await readTellings(database.query, taken.map(({ channel }) => channel))
    await Promise.all(taken.map(async ({ channel: name, failures }) => {
      const channel = channels.find(known => known.name === name)
      if (channel !== undefined) await tell(channel, failures, { seen, tellings, at }, signal)
    }))
  }

  async function tell (
    channel: Channel,
    failures: number,
    { seen, tellings, at }: { seen: Attention, tellings: readonly Telling[], at: Date },
    signal: AbortSignal
  ): Promise<void> {
    const { name } = channel
    const plan = planTelling(seen, tellings.filter(telling => telling.channel === name), {
      channel: name,
      leastSeverity: options.leastSeverity,
      quietMs,
      nowMs: at.getTime()
    })
    const hasNothing = isEmpty(plan)
    if (hasNothing && failures === 0) return
    // Without a message, nothing would show that a channel works again.
    const problem = await send(
      channel,
      newMessage(hasNothing ? 'attention.test' : 'attention.changed', plan, at),
      signal
    )
    // A hub that stops breaks off a message. That is no failure of the channel.
    if (signal.aborted && problem !== undefined) return
    if (problem !== undefined) {
      log.warn({ channel: name, failures: failures + 1, problem }, 'an alert did not arrive; trying again later')
      await storeFailed(database.query, { channel: name, at, nextLookAt: afterRest(at, failures), problem })
      return
    }
    await database.transaction(({ query }) =>
      storeTold(query, {
        channel: name,
        at,
        told: [...plan.fresh, ...plan.open],
        recovered: plan.recovered.map(({ key }) => key),
        forgetBefore: new Date(at.getTime() - Math.max(quietMs, reminderMs))
      })
    )
  }

  function newMessage (type: Message['type'], plan: Plan, at: Date): Message {
    return { id: v7(), type, at, ...options.from, ...plan }
  }

  /** Returns why the message did not arrive, or undefined when it did. */
  async function send (channel: Channel, message: Message, signal: AbortSignal): Promise<string | undefined> {
    try {
      await pTimeout(channel.send(message, signal), {
        milliseconds: sendMs,
        message: `no answer within ${sendMs / 1_000} s`,
        signal
      })
      return undefined
    } catch (error) {
      return asError(error).message.replaceAll(/\s+/g, ' ').slice(0, longestProblem)
    }
  }

  async function test (): Promise<AlertTest[]> {
    if (channels.length === 0) throw new AlertsNotConfiguredError()
    return Promise.all(channels.map(async channel => {
      const at = now()
      const begunMs = performance.now()
      const nothing = { fresh: [], open: [], recovered: [] }
      const problem = await send(channel, newMessage('attention.test', nothing, at), AbortSignal.timeout(sendMs))
      if (problem === undefined) await storeWorks(database.query, channel.name, at)
      return {
        channel: channel.name,
        success: problem === undefined,
        latencyMs: Math.round(performance.now() - begunMs),
        message: problem ?? 'the receiver has taken the test'
      }
    }))
  }

  return {
    channels: names,
    look,
    test,
    async read () {
      return {
        states: await readChannels(database.query, names),
        tellings: await readTellings(database.query, names)
      }
    },
    quietUntil (item, before) {
      const untilMs = quietUntilMs(item, before, quietMs)
      return before.isOpen || untilMs <= now().getTime() ? undefined : new Date(untilMs)
    }
  }
}

function afterRest (at: Date, failures: number): Date {
  return new Date(at.getTime() + Math.min(longestRestMs, firstRestMs * 2 ** failures))
}
