import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createApi, eventually, type Answer } from '../support/api.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { buildTestHub, endOf, type Job, type TestHub } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import { pointersOf, problemOf } from '../support/problem.ts'

interface Pause {
  capability: string | null
  reason: string | null
  until: string | null
}

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString()
const stockChanged = { eventType: 'stock.changed', objectType: 'stock', externalId: '27' }

/** The steps that tests of pauses take at a hub. */
function createPauser (hub: TestHub, id: string) {
  const send = (action: 'pause' | 'resume') => (body?: object): Promise<Answer> =>
    hub.call('POST', `/connections/${id}/${action}`, body === undefined ? {} : { body })
  return {
    pause: send('pause'),
    resume: send('resume'),
    pauses: async () => ((await hub.call('GET', `/connections/${id}`)).json as { pauses: Pause[] }).pauses,
    /** Starts a job that reads a product, or its stock. */
    async start (what: 'product' | 'inventory', externalId = '27'): Promise<string> {
      const { json, text, status } = await hub.call('POST', '/jobs', {
        body: { jobType: `master.${what}.syncByExternalId`, connectionId: id, payload: { externalId } }
      })
      if (status !== 202) throw new Error(text)
      return (json as { jobId: string }).jobId
    },
    /** Waits until a job was put back by the pause of a capability. */
    putBack: (jobId: string) =>
      eventually('the job to be put back', async () => {
        const job = (await hub.call('GET', `/jobs/${jobId}`)).json as Job
        return job.problem?.code === 'LNK_CAPABILITY_PAUSED' && job.status === 'waiting' ? job : undefined
      }),
    /** Lets every pause end as if its time had come. */
    async passTime (): Promise<void> {
      await hub.database().query('update connection_pauses set until = now()')
      await hub.database().query("update job_holds set lapses_at = now() where reason = 'paused'")
      await hub.database().query("update jobs set due_at = now() where state = 'returned'")
    }
  }
}

const statusOf = async (hub: TestHub, jobId: string): Promise<string> =>
  ((await hub.call('GET', `/jobs/${jobId}`)).json as Job).status

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: pauses of a connection and of its capabilities`, async t => {
    const hub = await buildTestHub(t, { mode })
    const id = await hub.connect('shopa')
    const { pause, resume, pauses, start, putBack, passTime } = createPauser(hub, id)
    /** Whether the hub called the shop since the last question. */
    const wasCalled = (): boolean => {
      const calls = hub.shop.requests.matching({})
      hub.shop.requests.clear()
      return calls.length > 0
    }
    t.afterEach(async () => {
      await resume()
      for (const { capability } of await pauses()) await resume({ capabilities: [capability] })
    })

    t.test('webhooks are accepted while the connection is paused, and handled after it', async t => {
      t.equal((await pause({ reason: 'moving house' })).status, 200)
      wasCalled()
      const requestId = randomUUID()
      const delivered = await hub.deliver(id, { ...stockChanged, requestId })
      const jobId = String(delivered.headers['x-linker-delivery-id'])
      await eventually(
        'the job of the webhook',
        async () => (await hub.call('GET', `/jobs/${jobId}`)).status === 200 ? true : undefined
      )
      // Jobs of another connection run past it.
      const other = await hub.connect('shopa', { name: 'Other' })
      await hub.endOf(await createPauser(hub, other).start('product', '28'))
      wasCalled()

      t.equal(delivered.status, 202)
      t.equal(await statusOf(hub, jobId), 'waiting')
      t.match((await resume()).json, { pauses: { length: 0 } })
      const job = await hub.endOf(jobId)
      t.match(job, { status: 'succeeded', attempts: [{}] })
      t.equal(job.attempts.length, 1)
      t.ok(wasCalled())
    })

    t.test('a pause ends by itself at its time', async t => {
      const until = inHours(2)
      t.match((await pause({ until })).json, { pauses: [{ capability: null, reason: null, until }] })
      const jobId = await start('product')
      t.match((await hub.call('GET', `/jobs/${jobId}`)).json, {
        status: 'waiting',
        waitsFor: { reason: 'connection-paused', until }
      })
      await pause({ reason: 'moving house', until })
      t.match((await hub.call('GET', `/jobs/${jobId}`)).json, {
        waitsFor: { reason: 'connection-paused', detail: /' is paused: moving house$/, until }
      }, 'the reason of the pause changed')

      await passTime()

      t.match(await hub.endOf(jobId), { status: 'succeeded' })
      t.strictSame(await pauses(), [])
    })

    t.test('a job waits for the end that a short pause really has', async t => {
      const answer = await pause({ until: new Date(Date.now() + 1_500).toISOString() })
      const jobId = await start('product')

      t.match(await hub.endOf(jobId), { status: 'succeeded' })
      const [{ until } = { until: null }] = (answer.json as { pauses: Pause[] }).pauses
      t.ok(Date.now() >= Date.parse(until ?? ''))
    })

    t.test('while a capability is paused, the others work, and its jobs lose no attempt', async t => {
      await pause({ capabilities: ['InventoryMaster'], reason: 'recount' })
      const stock = await start('inventory')
      const waiting = await putBack(stock)
      wasCalled()
      const product = await hub.endOf(await start('product'))
      const delivered = await hub.deliver(id, stockChanged)
      const ofAdapter = await putBack(String(delivered.headers['x-linker-delivery-id']))

      t.match(product, { status: 'succeeded' })
      t.match(waiting, {
        attempts: { length: 0 },
        problem: { message: /^Capability 'InventoryMaster' of connection '.*' is paused until somebody.*: recount$/ }
      })
      t.strictSame(ofAdapter.attempts, [])
      t.match((await hub.call('GET', `/jobs/${stock}`)).json, {
        dueAt: null,
        waitsFor: { reason: 'capability-paused', detail: /: recount$/, until: undefined }
      })
      const until = inHours(2)
      await pause({ capabilities: ['InventoryMaster'], reason: 'a second recount', until })
      t.match((await hub.call('GET', `/jobs/${stock}`)).json, {
        dueAt: until,
        problem: { code: 'LNK_CAPABILITY_PAUSED' },
        waitsFor: { reason: 'capability-paused', detail: new RegExp(`paused until ${until}: a second recount$`), until }
      }, 'the terms of the pause changed')
      await resume({ capabilities: ['InventoryMaster'] })
      for (const jobId of [stock, ofAdapter.id]) {
        const job = await hub.endOf(jobId)
        t.match(job, { status: 'succeeded', problem: null })
        t.equal(job.attempts.length, 1)
      }
    })

    t.test('the pause of a capability ends by itself, and its jobs go on', async t => {
      await pause({ capabilities: ['ProductMaster'], until: inHours(2) })
      const jobId = await start('product')
      await putBack(jobId)

      await passTime()

      t.match(await hub.endOf(jobId), { status: 'succeeded' })
    })

    t.test('many requests for one object wait as one or two jobs, and run so after the pause', async t => {
      await pause({ capabilities: ['ProductMaster'] })
      await putBack(await start('product'))
      const more = [await start('product'), await start('product'), await start('product')]
      wasCalled()

      await resume({ capabilities: ['ProductMaster'] })
      const ended = await Promise.all(more.map(jobId => hub.endOf(jobId)))

      t.equal(ended.filter(({ coalescedInto }) => coalescedInto === null).length, 1)
    })

    t.test('a job that runs when its connection is paused goes on to its end', async t => {
      const held = Promise.withResolvers<void>()
      hub.shop.faults.add({ path: /products/, until: held.promise })
      const jobId = await start('product')
      await eventually('its request', async () => hub.shop.faults.pending() === 0 ? true : undefined)
      await pause()
      held.resolve()

      t.match(await hub.endOf(jobId), { status: 'succeeded' })
      t.equal((await pauses()).length, 1)
    })

    t.test('what would call the platform at once is refused; a test of the connection is not', async t => {
      await pause({ reason: 'moving house' })
      wasCalled()
      const dryRun = () => hub.call('POST', '/stock/reconcile', { body: { connectionId: id, dryRun: true } })

      const whole = await dryRun()
      const install = await hub.call('POST', `/connections/${id}/webhooks/install`)
      t.notOk(wasCalled())
      const tested = await hub.call('POST', `/connections/${id}/test`)
      t.ok(wasCalled())
      await resume()
      await pause({ capabilities: ['InventoryMaster'] })
      const part = await dryRun()

      t.match(problemOf(whole), { status: 409, code: 'LNK_CONNECTION_PAUSED', detail: /: moving house$/ })
      t.match(problemOf(install), { status: 409, code: 'LNK_CONNECTION_PAUSED' })
      t.match(tested.json, { success: true })
      t.match(problemOf(part), { status: 409, code: 'LNK_CAPABILITY_PAUSED', detail: /'InventoryMaster'/ })
    })

    t.test('bad input is refused with its reason, and changes nothing', async t => {
      const unknown = await pause({ capabilities: ['ProductMaster', 'Orders'] })
      t.match(problemOf(unknown), {
        status: 400,
        code: 'LNK_REQUEST_INVALID',
        detail: /'Orders' is not a capability of this connection; it has .*InventoryMaster/
      })
      t.strictSame(pointersOf(unknown), ['/capabilities/1'])
      t.strictSame(pointersOf(await pause({ until: inHours(-1) })), ['/until'])
      for (
        const body of [
          { capabilities: [] },
          { capabilities: 'ProductMaster' },
          { until: 'tomorrow' },
          { until: '2h' },
          { reason: '' },
          { reason: 'two\nlines' },
          { reason: 'x'.repeat(501) },
          { other: true }
        ]
      ) t.match(problemOf(await pause(body)), { status: 400, code: 'LNK_REQUEST_INVALID' }, JSON.stringify(body))
      t.match(problemOf(await resume({ capabilities: ['Orders'] })), { status: 400 })
      for (const action of ['pause', 'resume']) {
        const nowhere = await hub.call('POST', `/connections/00000000-0000-4000-8000-000000000000/${action}`)
        t.match(problemOf(nowhere), { status: 404, code: 'LNK_CONNECTION_NOT_FOUND' })
      }
      t.strictSame(await pauses(), [])
    })

    t.test('a disabled connection stays disabled when its pause ends', async t => {
      await pause()
      await hub.call('PATCH', `/connections/${id}/disable`)
      await resume()
      t.match((await hub.call('GET', `/connections/${id}`)).json, { status: 'disabled', pauses: { length: 0 } })
      await pause()
      await hub.call('PATCH', `/connections/${id}`, { body: { status: 'active' } })
      t.equal(await statusOf(hub, await start('product')), 'waiting')
    })

    t.test('the audit says who paused what and why', async t => {
      const made = await hub.call('POST', '/tokens', { body: { name: 'ada', scope: 'operate' } })
      const ada = createApi(hub.url, (made.json as { token: string }).token)
      await ada('POST', `/connections/${id}/pause`, { body: { reason: 'moving house' } })
      t.match((await hub.call('GET', `/connections/${id}`)).json, { pauses: [{ by: { kind: 'token', name: 'ada' } }] })
      await ada('POST', `/connections/${id}/resume`)

      const { json } = await hub.call('GET', `/audit?connectionId=${id}&actor=ada`)
      const terms = { reason: 'moving house', until: null }
      t.match(json, [
        { action: 'connection.resume', changes: [{ pointer: '/pauses/connection', from: terms }] },
        { action: 'connection.pause', changes: [{ pointer: '/pauses/connection', to: terms }] }
      ])
      t.equal((json as unknown[]).length, 2)
    })

    t.test('a restart keeps the pauses and the jobs that wait for them', async t => {
      await pause({ capabilities: ['InventoryMaster'] })
      const stock = await start('inventory')
      await putBack(stock)
      await pause({ reason: 'moving house' })
      const product = await start('product')

      await hub.restart()

      t.match(await pauses(), [{ capability: null, reason: 'moving house' }, { capability: 'InventoryMaster' }])
      t.strictSame([await statusOf(hub, stock), await statusOf(hub, product)], ['waiting', 'waiting'])
      await resume()
      t.match(await hub.endOf(product), { status: 'succeeded' })
      t.equal(await statusOf(hub, stock), 'waiting')
      await resume({ capabilities: ['InventoryMaster'] })
      t.match(await hub.endOf(stock), { status: 'succeeded' })
    })
  })

  t.test(`${mode}: a schedule of a paused connection makes one job, however long the pause was`, async t => {
    let now = new Date()
    const hub = await buildTestHub(t, {
      mode,
      now: () => now,
      config: { schedules: { 'master-inventory-sweep': { every: '10s', enabled: true } } }
    })
    const id = await hub.connect('shopa')
    const { pause, resume } = createPauser(hub, id)
    const sweeps = async () =>
      (await hub.call('GET', `/jobs?connectionId=${id}&jobType=master.inventory.syncAll&limit=200`)).json as Job[]
    const first = await eventually('the first slot', async () => (await sweeps())[0])
    await hub.endOf(first.id)
    await pause()

    for (let slots = 2; slots <= 6; slots += 1) {
      now = new Date(now.getTime() + 10_000)
      await eventually('the next slot', async () => (await sweeps()).length === slots ? true : undefined)
    }
    const waiting = (await sweeps()).slice(0, -1)
    await resume()
    const ended = await Promise.all(waiting.map(job => hub.endOf(job.id)))

    t.equal(waiting.filter(({ coalescedInto }) => coalescedInto === null).length, 1)
    t.ok(ended.every(({ status }) => status === 'succeeded'))
  })

  if (mode === 'embedded') continue

  t.test(`${mode}: every process follows a pause at once, and a killed one leaves it`, async t => {
    const hub = await buildTestHub(t, { mode })
    const id = await hub.connect('shopa')
    const { pause, resume, start, putBack } = createPauser(hub, id)
    const other = await startHubProcess(hub.directory, hub.variables)
    t.teardown(() => other.kill())
    const there = hub.at(other.url)

    await there('POST', `/connections/${id}/pause`, { body: { capabilities: ['InventoryMaster'] } })
    const stock = await start('inventory')
    await putBack(stock)
    await there('POST', `/connections/${id}/pause`, { body: { reason: 'moving house' } })
    const product = await start('product')
    t.equal(await statusOf(hub, product), 'waiting')
    await other.kill()

    t.match((await hub.call('GET', `/connections/${id}`)).json, { pauses: [{ capability: null }, {}] })
    t.strictSame([await statusOf(hub, stock), await statusOf(hub, product)], ['waiting', 'waiting'])
    await resume()
    t.match(await hub.endOf(product), { status: 'succeeded' })
    await resume({ capabilities: ['InventoryMaster'] })
    t.match(await endOf(hub.call, stock), { status: 'succeeded' })
    await pause()
  })
}
