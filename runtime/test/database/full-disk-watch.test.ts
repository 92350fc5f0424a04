import { EventEmitter } from 'node:events'
import type pg from 'pg'
import t from 'tap'
import { createFullDiskWatch } from '../../src/database/full-disk-watch.ts'

t.test('the disk counts as full for half a minute after PostgreSQL said so', async t => {
  let nowMs = 0
  const pool = new EventEmitter()
  const connection = new EventEmitter()
  const watch = createFullDiskWatch(() => nowMs)
  watch.over(pool as unknown as pg.Pool)
  pool.emit('connect', { connection })

  connection.emit('errorMessage', { code: '23505' })
  t.equal(watch.isFull(), false, 'another error')
  connection.emit('errorMessage', { code: '53100' })
  t.equal(watch.isFull(), true)
  nowMs = 30_000
  t.equal(watch.isFull(), false)
})
