import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t, { type Test } from 'tap'
import { openDatabase } from '../../src/database/database.ts'
import { createServerDatabase } from '../databases.ts'

const serverUrl = process.env.LINKER_TEST_DATABASE_URL

/**
 * Opens a proxy to the server. After `cut`, every connection ends as soon as it is made; `attempts`
 * counts these connections.
 */
async function openGate (
  t: Test,
  target: URL
): Promise<{ url: string, cut(isCut: boolean): void, attempts: () => number }> {
  let isCut = false
  let attempts = 0
  const sockets = new Set<Socket>()
  const gate = createServer(socket => {
    if (isCut) {
      attempts += 1
      socket.destroy()
      return
    }
    const upstream = connect(Number(target.port), target.hostname)
    for (const [from, to] of [[socket, upstream], [upstream, socket]] as const) {
      sockets.add(from)
      from.on('error', () => undefined).on('close', () => {
        to.destroy()
      }).pipe(to)
    }
  }).listen(0, '127.0.0.1')
  await once(gate, 'listening')
  t.teardown(() => {
    gate.close()
  })
  const url = new URL(target)
  url.host = `127.0.0.1:${(gate.address() as AddressInfo).port}`
  return {
    url: url.href,
    cut (next) {
      isCut = next
      if (next) { for (const socket of sockets) socket.destroy() }
    },
    attempts: () => attempts
  }
}

t.test('a database that is away is asked once a second, however long it is away, and heard again when it is back', {
  skip: serverUrl === undefined && 'needs PostgreSQL'
}, async t => {
  const server = await createServerDatabase(serverUrl ?? '')
  t.teardown(() => server.drop())
  const gate = await openGate(t, new URL(server.url))
  const warnings: string[] = []
  const database = await openDatabase({ databaseUrl: gate.url, dataDirectory: '' }, {
    warn: (_fields, message) => {
      warnings.push(message)
    }
  })
  const woken = Promise.withResolvers<void>()
  await database.query('select 1')

  gate.cut(true)
  // If each failed attempt started two more, there would be fifteen attempts now.
  while (gate.attempts() < 4) await sleep(50)
  t.ok(gate.attempts() <= 5, `${gate.attempts()} attempts`)
  t.ok(warnings.filter(message => message.includes('listening for wake-ups failed')).length >= 3)

  database.listen('jobs', woken.resolve)
  gate.cut(false)
  await woken.promise
  await database.close()
})

t.test('one hub wakes another, even when both have the same process id, as in containers', {
  skip: serverUrl === undefined && 'needs PostgreSQL'
}, async t => {
  const server = await createServerDatabase(serverUrl ?? '')
  t.teardown(() => server.drop())
  const open = () => openDatabase({ databaseUrl: server.url, dataDirectory: '' }, { warn: () => undefined })
  const [one, other] = [await open(), await open()]
  const woken = Promise.withResolvers<void>()
  // Listening itself wakes the listener once.
  const listening = Promise.withResolvers<void>()
  let wakings = 0
  other.listen('jobs', () => {
    wakings += 1
    if (wakings === 1) listening.resolve()
    else woken.resolve()
  })
  await listening.promise

  one.notify('jobs')
  await woken.promise
  t.ok(wakings >= 2)
  await Promise.all([one.close(), other.close()])
})

t.test('wake-ups reach another hub by at most one statement in 10 ms', {
  skip: serverUrl === undefined && 'needs PostgreSQL'
}, async t => {
  const server = await createServerDatabase(serverUrl ?? '')
  t.teardown(() => server.drop())
  const database = await openDatabase({ databaseUrl: server.url, dataDirectory: '' }, { warn: () => undefined })
  const client = new pg.Client(server.url)
  const seen: string[] = []
  const last = Promise.withResolvers<void>()
  client.on('notification', ({ channel }) => {
    seen.push(channel)
    if (channel === 'linker_streams') last.resolve()
  })
  await client.connect()
  for (const channel of ['jobs', 'streams']) await client.query(`listen linker_${channel}`)

  const startedAt = performance.now()
  for (let count = 0; count < 100; count++) {
    database.notify('jobs')
    await database.query('select 1')
  }
  const most = 2 + (performance.now() - startedAt) / 10
  while (!seen.includes('linker_jobs')) await sleep(5)
  database.notify('streams')
  await last.promise
  const forJobs = seen.filter(channel => channel === 'linker_jobs').length
  t.ok(forJobs >= 1 && forJobs <= most, `${forJobs} statements, at most ${most}`)
  await client.end()
  await database.close()
})
