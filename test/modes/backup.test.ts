import { randomUUID } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { hasEnded, listByEvent } from '../chaos/jobs.ts'
import { createApi, eventually, type ApiClient } from '../support/api.ts'
import { runLinker, startHubProcess } from '../support/hub-process.ts'
import { buildTestHub, type TestHub } from '../support/hub.ts'
import { availableModes, openMode, type Mode } from '../support/modes.ts'

const perWave = 30
const senders = 4

interface Sent {
  eventId: string
  acknowledgedAt: number
}

/** Delivers events, and notes when the hub acknowledged each. */
async function deliver (hub: TestHub, connectionId: string, eventId = randomUUID()): Promise<Sent> {
  const event = { eventType: 'product.saved', objectType: 'product', externalId: '27', eventId }
  const { status, text } = await hub.deliver(connectionId, event)
  if (status !== 202) throw new Error(`a delivery was answered ${status}: ${text}`)
  return { eventId, acknowledgedAt: Date.now() }
}

/** Delivers events until `isOver` says so. */
async function flood (hub: TestHub, connectionId: string, isOver: () => boolean): Promise<Sent[]> {
  const sent: Sent[] = []
  await Promise.all(Array.from({ length: senders }, async () => {
    while (!isOver()) {
      const eventId = randomUUID()
      // The embedded database serves nobody while it is read, so a delivery may fail. Its sender
      // repeats it.
      const delivered = await deliver(hub, connectionId, eventId).catch(() => undefined)
      if (delivered !== undefined) sent.push(delivered)
    }
  }))
  return sent
}

async function wave (hub: TestHub, connectionId: string): Promise<Sent[]> {
  return Promise.all(Array.from({ length: perWave }, () => deliver(hub, connectionId)))
}

/** The mode that a backup is restored into: always another one, if there is one. */
function nextMode (mode: Mode): Mode {
  const { LINKER_TEST_MODES: _, ...environment } = process.env
  const possible = availableModes(environment)
  return possible[(possible.indexOf(mode) + 1) % possible.length] ?? mode
}

async function jobsByEvent (call: ApiClient, connectionId: string, eventIds: readonly string[]) {
  return eventually('the end of all jobs', async () => {
    const jobs = await listByEvent(call, connectionId)
    return eventIds.every(eventId => jobs.get(eventId)?.every(hasEnded) ?? false) ? jobs : undefined
  })
}

for (const mode of availableModes(process.env)) {
  const target = nextMode(mode)
  t.test(`${mode} → ${target}: every event that was acknowledged before a backup runs after its restore`, async t => {
    const hub = await buildTestHub(t, { mode })
    const place = await openMode(target, process.env)
    t.teardown(() => place.close())
    const file = join(hub.directory, 'nightly.backup.gz')
    const restored = { ...place.variables, LINKER_DATA_DIR: join(hub.directory, 'restored') }
    const restore = () => runLinker(['restore', file], hub.directory, restored)
    const shop = await hub.connect('shopa', { name: 'My shop' })

    const handled = await wave(hub, shop)
    await jobsByEvent(hub.call, shop, handled.map(({ eventId }) => eventId))
    // Without a worker the events of this wave wait in the streams.
    await hub.restart({ variables: { LINKER_ROLE: 'http' } })
    const waiting = await wave(hub, shop)
    let isOver = false
    const flooding = flood(hub, shop, () => isOver)
    const taken = await runLinker(
      ['backup', '--out', file, '--json', '--url', hub.url, '--token', hub.keys.admin],
      hub.directory
    )
    isOver = true
    const during = await flooding

    t.equal(taken.code, 0, taken.stderr)
    const { takenAt } = JSON.parse(taken.stdout) as { takenAt: string }
    t.match(taken.stderr, /not encrypted/)
    t.equal((await stat(file)).mode & 0o777, 0o600)
    t.strictSame((await readdir(join(hub.directory, 'state'))).filter(name => name.startsWith('backup')), [])
    t.match((await hub.call('GET', '/audit?action=POST%20/backup')).json, [{ action: 'POST /backup' }])

    const first = await restore()
    t.equal(first.code, 0, first.stderr)
    t.match(first.stdout, /^Restored \d+ rows into /)
    const second = await restore()
    t.equal(second.code, 1)
    t.match(second.stderr, /LNK_RESTORE_TARGET: .* is not empty/)

    await hub.stop()
    const next = await startHubProcess(hub.directory, {
      ...restored,
      ADMIN_TOKEN: hub.keys.admin,
      LINKER_WEBHOOK_SECRET__SHOPA: hub.keys.webhook,
      LOG_LEVEL: 'warn'
    })
    t.teardown(() => next.kill())
    const call = createApi(next.url, hub.keys.admin)
    const acknowledged = [...handled, ...waiting, ...during].filter(sent => sent.acknowledgedAt < Date.parse(takenAt))
      .map(({ eventId }) => eventId)
    t.ok(acknowledged.length >= 2 * perWave, `${acknowledged.length} events before ${takenAt}`)
    const jobs = await jobsByEvent(call, shop, acknowledged)
    t.strictSame(acknowledged.filter(eventId => jobs.get(eventId)?.length !== 1), [], 'each event has one job')

    const repeated = acknowledged.at(-1) ?? ''
    await hub.deliver(shop, {
      eventType: 'product.saved',
      objectType: 'product',
      externalId: '27',
      eventId: repeated
    }, next.url)
    t.equal((await jobsByEvent(call, shop, [repeated])).get(repeated)?.length, 1, 'its marker was restored')
    const refused = await restore()
    t.equal(refused.code, 1)
    t.match(
      refused.stderr,
      target === 'embedded' ? /LNK_DATA_DIRECTORY_LOCKED/ : /LNK_RESTORE_TARGET: .* target database postgres/
    )
    t.equal(await next.stop(), 0)
  })
}
