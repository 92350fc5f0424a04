import { callbackify } from 'node:util'
import type pg from 'pg'
import { DiskFullError } from '../errors.ts'

type Connected = (error: NodeJS.ErrnoException | null, client: pg.PoolClient) => void

/**
 * Lets a pool fail with `LNK_DISK_FULL` while `isFull` says so. Its server is away meanwhile, and
 * the error of a connection would only tell that.
 */
export function explainFullDisk (pool: pg.Pool, isFull: () => boolean): void {
  const connect: () => Promise<pg.PoolClient> = pool.connect.bind(pool)

  async function connectOrExplain (): Promise<pg.PoolClient> {
    try {
      return await connect()
    } catch (error) {
      throw isFull() ? Object.assign(new DiskFullError(), { cause: error }) : error
    }
  }

  Object.assign(pool, {
    // The pool's own `query` passes a callback.
    connect: (callback?: Connected) =>
      callback === undefined ? connectOrExplain() : callbackify(connectOrExplain)(callback)
  })
}
