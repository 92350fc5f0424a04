import { randomBytes, randomUUID } from 'node:crypto'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { buildTestHub } from '../support/hub.ts'
import { mountSmallDisk } from '../support/small-disk.ts'
import { copyTemplate } from '../support/templates.ts'

const mostDeliveries = 2_000

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
  const saved = async (): Promise<number> => {
    const requestId = randomUUID()
    const payload = { note: randomBytes(50_000).toString('hex') }
    const { status } = await hub.deliver(shop, {
      eventType: 'product.saved',
      objectType: 'product',
      externalId: '27',
      requestId,
      payload
    })
    if (status === 202) accepted.push(requestId)
    return status
  }
  t.equal(await saved(), 202)

  await disk.fill(12_000_000)
  let refusal = 202
  while (refusal === 202 && accepted.length < mostDeliveries) refusal = await saved()
  const during = await Promise.all([saved(), saved(), saved()])
  const [list, ready] = await Promise.all([hub.call('GET', '/connections'), hub.call('GET', '/readyz')])

  t.strictSame([refusal, ...during], [500, 500, 500, 500], 'each is answered, and none is acknowledged')
  t.match([list.status, ready.status], [503, 503])
  await eventually(
    'the log to name the disk',
    async () => hub.log.some(line => line.includes('the disk is full')) ? true : undefined
  )

  await disk.empty()
  await eventually('an event to be taken', async () => await saved() === 202 ? true : undefined)
  t.equal((await hub.call('GET', '/connections')).status, 200)
  const jobs = await Promise.all(accepted.map(requestId => hub.jobsOf(requestId)))
  t.ok(jobs.length > 2 && jobs.every(({ length }) => length === 1), 'every accepted event has its job, which ended')
})
