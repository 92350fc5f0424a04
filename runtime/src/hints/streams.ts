import { PassThrough, type Readable } from 'node:stream'
import { EventStreamsFullError, HubStoppingError } from '../errors.ts'
import { changedKinds, eventOf, type Sight } from './kinds.ts'

export interface StreamsOptions {
  see(this: void): Promise<Sight>
}

export interface Streams {
  /**
   * Opens a stream of hints. The hub calls `mayGoOn` before each heartbeat; a stream whose caller
   * may not go on ends. Throws `LNK_EVENT_STREAMS_FULL`, and after `end` `LNK_HUB_STOPPING`.
   */
  open(this: void, mayGoOn: () => Promise<boolean>): Readable
  /** Looks whether something changed, and tells it on all streams. Does nothing without streams. */
  look(this: void): Promise<void>
  /** Writes to each stream, so that proxies keep it, and ends those that may not go on. */
  beat(this: void): Promise<void>
  /** Ends all streams, and lets none open any more: it would delay the stop of the hub. */
  end(this: void): void
}

const mostStreams = 100
/** A browser that lost the stream asks again after this time. */
const retryMs = 5_000
/** A reader that leaves so much unread has gone, or needs no hints. */
const mostUnreadBytes = 16_384

/** The open streams of hints of this process. */
export function createStreams ({ see }: StreamsOptions): Streams {
  const open = new Map<PassThrough, () => Promise<boolean>>()
  let last: Sight | undefined
  let isEnded = false

  function write (stream: PassThrough, text: string): void {
    if (stream.readableLength + stream.writableLength > mostUnreadBytes) stream.destroy()
    else stream.write(text)
  }

  async function beat (): Promise<void> {
    await Promise.all([...open].map(async ([stream, mayGoOn]) => {
      if (await mayGoOn()) write(stream, ': beat\n\n')
      else stream.end()
    }))
  }

  return {
    beat,
    open (mayGoOn) {
      if (isEnded) throw new HubStoppingError()
      if (open.size >= mostStreams) throw new EventStreamsFullError(mostStreams)
      const stream = new PassThrough()
      open.set(stream, mayGoOn)
      stream.on('error', () => undefined).on('close', () => {
        open.delete(stream)
      })
      stream.write(`retry: ${retryMs}\n\n`)
      return stream
    },
    async look () {
      if (open.size === 0) {
        // Forget the last sight: changes that happened while nobody listened are no news for those
        // who come later.
        last = undefined
        return
      }
      const before = last
      const now = await see()
      last = now
      if (before === undefined) return
      const text = changedKinds(before, now).map(eventOf).join('')
      if (text !== '') { for (const stream of open.keys()) write(stream, text) }
    },
    end () {
      isEnded = true
      for (const stream of open.keys()) stream.end()
    }
  }
}
