import { mostConnectionBytes } from '@linker/sdk/host'
import t from 'tap'
import { createValueRoom } from '../../src/adapters/value-room.ts'
import type { Query } from '../../src/database/database.ts'

const mebibyte = 1024 * 1024

/** A room over a table that the test fills, and a clock that the test turns. */
function open (bytes: number) {
  const table = { bytes, measured: 0 }
  let nowMs = 0
  const query: Query = async <Row extends object>() => {
    table.measured += 1
    return [{ bytes: table.bytes }] as Row[]
  }
  return {
    ...createValueRoom(query, () => nowMs),
    table,
    pass (ms: number) {
      nowMs += ms
    }
  }
}

t.test('values fit up to the last byte', async t => {
  const { has } = open(mostConnectionBytes - 100)

  t.equal(await has('a', 100), true)
  t.equal(await has('a', 101), false)
})

t.test('a connection is measured once, and its own writes are added', async t => {
  const { has, add, table } = open(mostConnectionBytes - 1_000)
  await has('a', 1)
  add('a', 900)

  t.equal(await has('a', 101), false)
  add('a', -50)
  t.equal(await has('a', 101), true)
  t.equal(table.measured, 1)
})

t.test('other processes write too: a connection is measured again after a minute', async t => {
  const { has, table, pass } = open(0)
  await has('a', 1)
  table.bytes = mostConnectionBytes
  pass(60_000)
  t.equal(await has('a', 1), true)
  pass(1)

  t.equal(await has('a', 1), false)
})

t.test('and after 4 MiB of writes, whether these made the values larger or smaller', async t => {
  const { has, add, table } = open(8 * mebibyte)
  await has('a', 1)
  add('a', 2 * mebibyte)
  add('a', -2 * mebibyte)
  await has('a', 1)
  t.equal(table.measured, 1)
  add('a', 1)
  await has('a', 1)

  t.equal(table.measured, 2)
})

t.test('a full connection is measured at most every five seconds, and not with every refusal', async t => {
  const { has, table, pass } = open(mostConnectionBytes)
  await has('a', 1)
  table.bytes = 0
  pass(5_000)
  t.equal(await has('a', 1), false)
  t.equal(table.measured, 1)
  pass(1)

  t.equal(await has('a', 1), true)
})

t.test('each connection has its own room, and a write to one that was not measured counts nothing', async t => {
  const { has, add, table } = open(mostConnectionBytes - 10)
  add('b', 1_000)

  t.equal(await has('b', 10), true)
  t.equal(await has('a', 11), false)
  t.equal(table.measured, 2)
})
