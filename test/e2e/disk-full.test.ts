import { randomBytes, randomUUID } from 'node:crypto'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { runLinker } from '../support/hub-process.ts'
import { buildTestHub, type TestHub } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import { problemOf } from '../support/problem.ts'
import { mountSmallDisk } from '../support/small-disk.ts'
import { copyTemplate } from '../support/templates.ts'

const mostDeliveries = 2_000

async function save (hub: TestHub, shop: string, payload = {}) {
  const requestId = randomUUID()
  const answer = await hub.deliver(shop, {
    eventType: 'product.saved',
    objectType: 'product',
    externalId: '27',
    requestId,
    payload
  })
  const { status } = answer
  return { requestId, status, detail: status < 400 ? '' : problemOf(answer).detail }
}

async function diskItem (hub: TestHub) {
  const { json } = await hub.call('GET', '/attention')
  return (json as { kind: string, severity: string, title: string }[]).find(({ kind }) => kind === 'disk-space')
}

async function examine (hub: TestHub, dataDirectory: string) {
  const { stdout } = await runLinker(['doctor', '--json', '--url', hub.url], hub.directory, {
    ...hub.variables,
    ADMIN_TOKEN: hub.keys.admin,
    LINKER_DATA_DIR: dataDirectory
  })
  return JSON.parse(stdout) as { checks: { mark: string, check: string, message: string }[] }
}

t.test('an embedded hub whose disk is full says so, and goes on by itself when there is room', async t => {
  const disk = await mountSmallDisk(t, 250)
  if (disk === undefined) return t.pass('a full disk', { skip: 'needs root on Linux, to mount a disk in memory' })
  await copyTemplate(disk.directory, process.env)
  const hub = await buildTestHub(t, {
    mode: 'embedded',
    reroute: async variables => ({ ...variables, LINKER_DATA_DIR: disk.directory })
  })
  const shop = await hub.connect('shopa')
  const accepted: string[] = []
  const details: string[] = []
  const saved = async (): Promise<number> => {
    const { requestId, status, detail } = await save(hub, shop, { note: randomBytes(50_000).toString('hex') })
    if (status === 202) accepted.push(requestId)
    else details.push(detail)
    return status
  }
  t.equal(await saved(), 202)

  await disk.fill(12_000_000)
  let refusal = 202
  while (refusal === 202 && accepted.length < mostDeliveries) refusal = await saved()
  const during = await Promise.all([saved(), saved(), saved()])
  const [list, ready] = await Promise.all([hub.call('GET', '/connections'), hub.call('GET', '/readyz')])

  t.strictSame([refusal, ...during], [500, 500, 500, 500], 'each is answered, and none is acknowledged')
  t.match(details, Array.from({ length: 4 }, () => /^The disk is full\. /))
  t.match([list.status, problemOf(list).code], [503, 'LNK_DISK_FULL'])
  t.match(ready, {
    status: 503,
    json: { checks: [{ name: 'database', message: 'the database cannot write: the disk is full' }, {}] }
  })
  t.match(await hub.call('GET', '/attention'), {
    status: 200,
    json: [{ kind: 'disk-space', severity: 'error', title: 'The disk of the hub is full', code: 'LNK_DISK_FULL' }]
  })
  await eventually(
    'the log to name the disk',
    async () => hub.log.some(line => line.includes('the disk is full; ')) ? true : undefined
  )
  const { checks } = await examine(hub, disk.directory)
  t.match(checks.find(({ check }) => check === 'data directory'), { mark: 'failed', message: /: \d+ MB free, .*full/ })
  t.match(checks.find(({ check }) => check === 'hub'), { mark: 'warning', message: /the disk is full/ })
  t.strictSame(hub.log.filter(line => line.includes('does not answer')), [])

  await disk.empty()
  await eventually('an event to be taken', async () => await saved() === 202 ? true : undefined)
  t.equal((await hub.call('GET', '/connections')).status, 200)
  const left = await eventually('the end of the full disk', async () => {
    const item = await diskItem(hub)
    return item?.severity === 'error' ? undefined : item
  })
  t.match(left, { severity: 'warning', title: /^The disk of the hub fills: \d+ % are used, \d+ MB are free$/ })
  t.match((await examine(hub, disk.directory)).checks.find(({ check }) => check === 'data directory'), {
    mark: /ok|warning/
  })
  const jobs = await Promise.all(accepted.map(requestId => hub.jobsOf(requestId)))
  t.ok(jobs.length > 2 && jobs.every(({ length }) => length === 1), 'every accepted event has its job, which ended')
})

const hasServer = availableModes(process.env).includes('postgres')
const skip = !hasServer && 'needs PostgreSQL'

t.test('a hub says when the disk of PostgreSQL is full, and goes on when there is room', { skip }, async t => {
  const hub = await buildTestHub(t, { mode: 'postgres' })
  const shop = await hub.connect('shopa')
  const { query } = hub.database()
  const full = ['stream_messages', 'connections', 'jobs']
  const earlier = await save(hub, shop)
  t.equal(earlier.status, 202)

  await query(`
    create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file' using errcode = '53100'; end
    $$`)
  for (const table of full) {
    await query(`create trigger refuse before insert or update on ${table} execute function refuse()`)
  }
  t.match(await save(hub, shop), { status: 500, detail: /^The disk is full\. / })
  const created = await hub.call('POST', '/connections', {
    body: {
      name: 'Shop',
      platformType: 'shopa',
      credentials: { apiUrl: hub.shop.apiUrl, apiKey: hub.keys.shop },
      allowSameAccount: true
    }
  })
  t.match([created.status, problemOf(created).code], [503, 'LNK_DISK_FULL'])
  t.equal((await hub.call('GET', '/connections')).status, 200, 'reading works')
  const item = await eventually('the item of the disk', () => diskItem(hub))
  t.match(item, { severity: 'error', title: 'The disk of PostgreSQL is full' })
  t.ok(hub.log.some(line => line.includes('a request failed because the disk is full')))
  t.strictSame(hub.log.filter(line => line.includes('does not answer')), [])

  for (const table of full) await query(`drop trigger refuse on ${table}`)
  await eventually('the end of the full disk', async () => await diskItem(hub) === undefined ? true : undefined)
  const later = await save(hub, shop)
  t.equal(later.status, 202)
  for (const { requestId } of [earlier, later]) t.equal((await hub.jobsOf(requestId)).length, 1)
})
