import type { Schemas } from '@linker/client'

export type Token = Schemas['Token']
export type TokenScope = Token['scope']

/** The scopes, each with what it allows. */
export const scopes: readonly (readonly [scope: TokenScope, allows: string])[] = [
  ['read', 'look at everything but secrets'],
  ['operate', 'also run, retry and change what the hub does with its connections'],
  ['admin', 'also change connections, credentials, adapter versions and tokens']
]

/** How long a new token lives. An empty number of days: it has no end. */
export const lives: readonly (readonly [days: string, name: string])[] = [
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'a year'],
  ['', 'no end']
]

const dayMs = 86_400_000

export function endAfter (days: string, nowMs: number): string | undefined {
  return days === '' ? undefined : new Date(nowMs + Number(days) * dayMs).toISOString()
}

export function isOver ({ expiresAt }: Pick<Token, 'expiresAt'>, nowMs: number): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs
}
