import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How the marketplace answers. `silent`: it does not. */
export type Mood = 'works' | 'asks for a pause' | 'throttles' | 'fails' | 'silent'

/** A request of a job, as the marketplace logs it. */
export interface Arrival {
  job: string
  /** The adapter version that sent it. */
  version: string
  /** By `performance.now()`. */
  atMs: number
  mood: Mood
}

export interface ThrottledMarket {
  origin: string
  /** The requests of an account in the order of their arrival. */
  arrivals(account: string): readonly Arrival[]
  /** Begins the spells with the next request of the account `busy`. Afterwards it works. */
  begin(spells: readonly Spell[]): void
  close(): Promise<void>
}

/** The only account whose requests meet moods; the others always get an answer. */
export const busyAccount = 'busy'

/** How long a mood lasts. */
export type Spell = readonly [mood: Mood, seconds: number]

/**
 * The spells of a run of ten minutes. At first the marketplace fails often, so that the hub comes
 * back at its full rate each time; after answers 429 it sends less for a minute.
 */
const spells: readonly Spell[] = [
  ['works', 5],
  ['fails', 25],
  ['works', 60],
  ['fails', 90],
  ['works', 40],
  ['silent', 15],
  ['works', 35],
  ['asks for a pause', 30],
  ['works', 40],
  ['throttles', 30],
  ['fails', 60],
  ['works', 40],
  ['asks for a pause', 20],
  ['fails', 50],
  ['throttles', 20],
  ['works', 20],
  ['fails', 20]
]

/** Makes each spell longer or shorter, so that all together take so many minutes. */
export function spellsOf (minutes: number): Spell[] {
  return spells.map(([mood, seconds]) => [mood, seconds * minutes * 60 / secondsOf(spells)])
}

export function secondsOf (all: readonly Spell[]): number {
  return all.reduce((sum, [, seconds]) => sum + seconds, 0)
}

/**
 * Returns the mood of each request in turn. The first one begins the first spell. A spell ends when
 * its time is over, but not before a request has met it: a busy machine may send none for a while.
 */
function createMoods (spells: readonly Spell[]): (atMs: number) => Mood {
  let index = 0
  let isMet = false
  let endsAt: number | undefined
  return atMs => {
    if (isMet && endsAt !== undefined && atMs >= endsAt) {
      index += 1
      isMet = false
      endsAt += lengthOf(index)
    }
    endsAt ??= atMs + lengthOf(index)
    isMet = true
    return spells[index]?.[0] ?? 'works'
  }

  function lengthOf (index: number): number {
    return (spells[index]?.[1] ?? 0) * 1_000
  }
}

/** Starts a marketplace that answers `GET /{account}/{job}/{request}` according to its mood. */
export async function startThrottledMarket (): Promise<ThrottledMarket> {
  const arrivals = new Map<string, Arrival[]>()
  let moodAt = createMoods([])

  const server = createServer(({ url = '', headers }, response) => {
    const atMs = performance.now()
    const [, account = '', job = ''] = url.split('/')
    const mood = account === busyAccount ? moodAt(atMs) : 'works'
    const log = arrivals.get(account) ?? []
    arrivals.set(account, log)
    log.push({ job, version: String(headers['x-served-by']), atMs, mood })
    answer(response, mood)
  })
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals: account => arrivals.get(account) ?? [],
    begin (spells) {
      moodAt = createMoods(spells)
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      })
  }
}

function answer (response: ServerResponse, mood: Mood): void {
  switch (mood) {
    case 'works':
      response.writeHead(200).end()
      break
    case 'asks for a pause':
      response.writeHead(429, { 'retry-after': '5' }).end()
      break
    case 'throttles':
      response.writeHead(429).end()
      break
    case 'fails':
      response.writeHead(500).end()
      break
    case 'silent':
      // The client gives up and closes the connection.
      break
  }
}
