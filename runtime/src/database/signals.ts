import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ownSettings } from './session.ts'
import { pooled, type SilenceWatch } from './silence.ts'

const channels = ['streams', 'jobs', 'cancellations', 'upstream', 'levels'] as const
export type Channel = typeof channels[number]

export interface Signals {
  /**
   * Wakes the listeners of `channel` in every process on this database. A wake-up may be lost, so
   * listeners also look by themselves now and then.
   */
  notify(channel: Channel): void
  /**
   * Calls `wake` after each notify, and after the hub restored a listening connection. Returns the
   * function that stops listening.
   */
  listen(channel: Channel, wake: () => void): () => void
  close(): Promise<void>
}

export function createLocalSignals (): Signals {
  const events = new EventEmitter()
  return {
    notify (channel) {
      events.emit(channel)
    },
    listen (channel, wake) {
      events.on(channel, wake)
      return () => {
        events.off(channel, wake)
      }
    },
    async close () {
      events.removeAllListeners()
    }
  }
}

const reconnectDelayMs = 1_000
const lookMs = 15_000
// Each wake-up makes every other process look for work.
const wakeEveryMs = 10

export interface SharedSignalsOptions {
  pool: pg.Pool
  databaseUrl: string
  silence: SilenceWatch
  log: { warn(fields: object, message: string): void }
}

/**
 * Signals between processes. LISTEN has its own connection, which the hub restores when it breaks.
 * NOTIFY wakes the other processes; the hub wakes its own listeners directly.
 */
export function createSharedSignals ({ pool, databaseUrl, silence, log }: SharedSignalsOptions): Signals {
  const local = createLocalSignals()
  // The process id would not do: hubs in two containers may have the same one.
  const id = randomUUID()
  const notifying = new Set<Channel>()
  const notifyAgain = new Set<Channel>()
  let isClosed = false
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined

  async function connectListener (): Promise<void> {
    const listener = new pg.Client({ connectionString: databaseUrl, application_name: 'linker-listen', ...pooled })
    listener.on('notification', message => {
      if (message.payload !== id) local.notify(message.channel.replace('linker_', '') as Channel)
    })
    listener.on('error', () => undefined)
    listener.on('end', reconnectLater)
    try {
      await listener.connect()
      silence.overClient(listener)
      await listener.query(ownSettings)
      for (const channel of channels) {
        await listener.query(`listen "linker_${channel}"`)
        local.notify(channel)
      }
    } catch (error) {
      listener.end().catch(() => undefined)
      throw error
    }
    if (isClosed) await listener.end()
    else client = listener
  }

  // Ask regularly: no other statement runs on this connection, so nothing else would notice that it
  // is silent.
  function look (): void {
    client?.query('select 1').catch(() => undefined)
  }

  // A failed attempt both rejects and ends its connection. If each of the two started another
  // attempt, the attempts would double every second.
  function reconnectLater (): void {
    if (isClosed || retry !== undefined) return
    retry = setTimeout(() => {
      retry = undefined
      reconnect()
    }, reconnectDelayMs)
  }

  function reconnect (): void {
    connectListener().catch((error: unknown) => {
      log.warn({ err: error }, 'listening for wake-ups failed; trying again')
      reconnectLater()
    })
  }

  // One more is enough for all wake-ups that come while a statement is under way, or soon after.
  function notifyOthers (channel: Channel): void {
    if (notifying.has(channel)) {
      notifyAgain.add(channel)
      return
    }
    notifying.add(channel)
    pool.query('select pg_notify($1, $2)', [`linker_${channel}`, id]).catch(() => undefined)
      .then(() => sleep(wakeEveryMs, undefined, { ref: false }))
      .finally(() => {
        notifying.delete(channel)
        if (notifyAgain.delete(channel) && !isClosed) notifyOthers(channel)
      })
  }

  const looking = setInterval(look, lookMs)
  looking.unref()
  reconnect()
  return {
    ...local,
    notify (channel) {
      local.notify(channel)
      notifyOthers(channel)
    },
    async close () {
      isClosed = true
      clearTimeout(retry)
      clearInterval(looking)
      await local.close()
      // `client.end()` would wait for the answer of a server that may be silent.
      client?.connection.stream.destroy()
    }
  }
}
