import type pg from 'pg'
import { diskFull } from './infrastructure-error.ts'

/** Each process writes a sign of life more often than this. */
const knownMs = 30_000

export interface FullDiskWatch {
  /** Follows the connections of a pool. */
  over(pool: pg.Pool): void
  /** Whether the server has just refused a write, because its disk is full. */
  isFull(): boolean
}

/** Remembers for half a minute that PostgreSQL said `53100`: only a write tells if it holds. */
export function createFullDiskWatch (nowMs: () => number = () => performance.now()): FullDiskWatch {
  let saidMs = Number.NEGATIVE_INFINITY
  return {
    over (pool) {
      pool.on('connect', client => {
        client.connection.on('errorMessage', ({ code }: pg.DatabaseError) => {
          if (code === diskFull) saidMs = nowMs()
        })
      })
    },
    isFull: () => nowMs() - saidMs < knownMs
  }
}
