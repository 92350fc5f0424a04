import { randomUUID } from 'node:crypto'
import t from 'tap'
import { eventually } from '../support/api.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { buildTestHub, type Job } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import { ownVersion } from '../support/own-version.ts'

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: a thousand copies of one event at the same time are one entry and one job`, async t => {
    const hub = await buildTestHub(t, { mode })
    const connectionId = await hub.connect('shopa')
    const event = { eventType: 'product.saved', objectType: 'product', externalId: '27', eventId: randomUUID() }

    const answers = await Promise.all(Array.from({ length: 1_000 }, () => hub.deliver(connectionId, event)))

    t.strictSame([...new Set(answers.map(answer => answer.status))], [202])
    const [deliveryId, ...others] = new Set(answers.map(answer => answer.headers['x-linker-delivery-id']))
    t.strictSame(others, [], 'every copy is answered with the id of the one job')
    const job = await hub.endOf(String(deliveryId))
    t.equal(job.status, 'succeeded')
    t.equal(job.attempts.length, 1)
    const jobs = (await hub.call('GET', `/jobs?connectionId=${connectionId}`)).json as Job[]
    const ofEvent = jobs.filter(({ jobType }) => jobType !== 'inventory.readAgain')
    t.strictSame(ofEvent.map(found => found.id), [deliveryId])
    t.equal(hub.shop.requests.matching({ path: '/api/products' }).length, 1, 'the shop was read once')
  })
}

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: an event without a job in the adapter is accepted, says so, and leaves no dead job`, async t => {
    const hub = await buildTestHub(t, {
      mode,
      variables: { LINKER_WEBHOOK_SECRET__MKTB: 'a-token-of-the-marketplace' }
    })
    const connectionId = await hub.connect('mktb')
    const send = (eventType: string): ReturnType<typeof hub.call> =>
      hub.call('POST', `/webhooks/mktb/${connectionId}`, {
        headers: { authorization: 'Bearer a-token-of-the-marketplace' },
        body: {
          schemaVersion: 1,
          eventId: randomUUID(),
          eventType,
          occurredAt: new Date().toISOString(),
          object: { type: 'order', externalId: '5' }
        }
      })

    const answer = await send('order.created')

    t.match(answer, { status: 202, headers: { 'x-linker-ignored': 'unknown-event-type' } })
    const status = await eventually('the note of the delivery', async () => {
      const { json } = await hub.call('GET', `/connections/${connectionId}/webhooks/status`)
      return (json as { lastDeliveryEvent: string | null }).lastDeliveryEvent === null ? undefined : json
    })
    t.match(status, { lastDeliveryEvent: 'order.created', lastDeliveryResult: 'ignored' })
    const jobs = (await hub.call('GET', `/jobs?connectionId=${connectionId}`)).json as Job[]
    t.notOk(jobs.some(job => job.jobType === 'mktb.order.syncByExternalId'))
  })
}

for (const mode of availableModes(process.env).filter(mode => mode !== 'embedded')) {
  t.test(`${mode}: a connection that one process disables is refused by the next webhook on another`, async t => {
    const hub = await buildTestHub(t, { mode })
    const connectionId = await hub.connect('shopa')
    const other = await startHubProcess(hub.directory, { ...hub.variables, LINKER_ROLE: 'http', LOG_LEVEL: 'warn' })
    t.teardown(() => other.kill())
    const event = (): Parameters<typeof hub.deliver>[1] => ({
      eventType: 'test.ping',
      objectType: 'test',
      externalId: 'test',
      eventId: randomUUID()
    })
    t.equal(
      (await hub.deliver(connectionId, event(), other.url)).status,
      202,
      'the other process knows the connection as active'
    )

    await hub.call('PATCH', `/connections/${connectionId}/disable`)

    t.equal((await hub.deliver(connectionId, event(), other.url)).status, 404)
    await hub.call('PATCH', `/connections/${connectionId}`, { body: { status: 'active' } })
    await t.resolves(eventually('acceptance', async () =>
      (await hub.deliver(connectionId, event(), other.url)).status === 202 ? true : undefined))
  })

  t.test(`${mode}: jobs that one process accepts are run by another`, async t => {
    const hub = await buildTestHub(t, { mode, variables: { LINKER_ROLE: 'http' } })
    const connectionId = await hub.connect('shopa')
    const accepted = await hub.deliver(connectionId, {
      eventType: 'product.saved',
      objectType: 'product',
      externalId: '27'
    })
    const worker = await startHubProcess(hub.directory, { ...hub.variables, LINKER_ROLE: 'worker', LOG_LEVEL: 'warn' })
    t.teardown(() =>
      worker.kill()
    )

    const job = await eventually('the end of the job', async () => {
      const found = await hub.call('GET', `/jobs/${String(accepted.headers['x-linker-delivery-id'])}`)
      return found.status === 200 && (found.json as Job).status === 'succeeded' ? found.json as Job : undefined
    })

    t.match(job, { jobType: 'master.product.syncByExternalId', adapter: `shopa.webservice.v1@${ownVersion}` })
  })
}
