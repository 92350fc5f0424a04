import { randomUUID } from 'node:crypto'
import t from 'tap'
import { eventually } from '../support/api.ts'
import type { Job } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import { problemOf } from '../support/problem.ts'
import { openShopAndMarket } from '../support/shop-and-market.ts'

const nowhere = '00000000-0000-4000-8000-000000000000'

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: an operator runs a dead job again`, async t => {
    const { hub, shopId, offer, poll, orderWhen, settle } = await openShopAndMarket(t, { mode, isPolandActive: false })
    const retry = (id: string, key: string = randomUUID()) =>
      hub.call('POST', `/jobs/${id}/retry`, { headers: { 'idempotency-key': key } })
    const placed = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 1 }] })
    await poll()
    await orderWhen(placed, 'failed')
    const [dead] = (await hub.call('GET', '/jobs?status=dead&jobType=master.order.create')).json as Job[]
    const id = dead?.id ?? ''

    t.test('its group says how many died for this reason', async t => {
      t.match((await hub.call('GET', '/jobs/groups')).json, {
        atMost: false,
        groups: [{ connectionId: shopId, jobType: 'master.order.create', code: /^LNK_/, count: 1, sampleJobId: id }]
      })
    })

    t.test('its order is ready again, and the shop gets it', async t => {
      hub.shop.setCountryActive('PL', true)
      const key = randomUUID()
      const answer = await retry(id, key)
      const again = await retry(id, key)
      const ended = await hub.endOf(id)
      await settle()

      t.match([answer.status, again.status], [202, 202])
      t.match(answer.json, { id, idempotencyKey: dead?.idempotencyKey, attempts: [{ error: { code: /^LNK_/ } }] })
      t.equal(again.text, answer.text)
      t.match(ended, { status: 'succeeded', connectionId: shopId })
      t.equal(ended.attempts.length, 2, 'the earlier attempt stays')
      const { history } = await orderWhen(placed, 'created')
      t.equal(hub.shop.orders().length, 1)
      t.strictSame(history.slice(0, 4).map(({ event }) => event), ['ingested', 'failed', 'retried', 'created'])
    })

    t.test('jobs are counted in groups', async t => {
      const { json } = await hub.call('GET', '/jobs/groups?status=waiting')
      t.match(json, { atMost: false, groups: Array })
      t.match(problemOf(await hub.call('GET', '/jobs/groups?status=running')), {
        status: 400,
        code: 'LNK_REQUEST_INVALID'
      })
    })

    t.test('jobs are found by their order, offer, object, problem and time', async t => {
      const { id: orderId } = await orderWhen(placed, 'created')
      const list = async (query: string): Promise<Job[]> =>
        (await hub.call('GET', `/jobs?limit=200&${query}`)).json as Job[]
      const idsOf = async (query: string): Promise<string[]> => (await list(query)).map(job => job.id)
      const ofOrder = await list(`orderId=${orderId.toUpperCase()}`)
      const [offerRow] = (await hub.call('GET', '/offers')).json as { id: string }[]
      const ofOffer = await list(`offerId=${offerRow?.id}`)
      const { objectKey = '' } = ofOrder.find(job => job.id === id) ?? {}

      t.ok(ofOrder.some(job => job.id === id))
      t.ok(ofOffer.length > 0)
      t.strictSame([...new Set(ofOffer.map(job => job.jobType))], ['marketplace.offerQuantity.update'])
      t.ok(objectKey.endsWith(orderId))
      t.ok((await idsOf(`objectKey=${encodeURIComponent(objectKey)}`)).includes(id))
      t.strictSame(await idsOf(`orderId=${orderId}&connectionId=${nowhere}`), [])
      t.strictSame(await idsOf(`orderId=${orderId}&offerId=${offerRow?.id}`), [])
      t.strictSame(await idsOf('code=LNK_ADAPTER_REJECTED'), [], 'the job has succeeded since')
      t.strictSame(await idsOf('until=2000-01-01T00:00:00Z'), [])
      t.ok((await idsOf('until=2999-01-01T00:00:00Z')).includes(id))
      for (const wrong of ['orderId=7', 'offerId=7', 'objectKey=', 'code=rejected', 'until=yesterday', 'object=x']) {
        t.match(problemOf(await hub.call('GET', `/jobs?${wrong}`)), { status: 400, code: 'LNK_REQUEST_INVALID' }, wrong)
      }
    })

    t.test('a job that has succeeded, and one that does not exist, are refused', async t => {
      t.match(problemOf(await retry(id)), { status: 409, code: 'LNK_JOB_SUCCEEDED' })
      t.match(problemOf(await retry(nowhere)), { status: 404, code: 'LNK_JOB_NOT_FOUND' })
      t.match(problemOf(await retry('7')), { status: 400, code: 'LNK_REQUEST_INVALID' })
    })

    t.test('an unknown type, and one whose connection is gone, are refused', async t => {
      const { query } = hub.database()
      await query("update jobs set outcome = 'dead', died_at = now(), job_type = 'shopa.gone' where id = $1", [id])
      t.match(problemOf(await retry(id)), { status: 409, code: 'LNK_JOB_TYPE_UNKNOWN', detail: /'shopa\.gone'/ })
      await query('update jobs set connection_id = $2 where id = $1', [id, nowhere])
      t.match(problemOf(await retry(id)), { status: 404, code: 'LNK_CONNECTION_NOT_FOUND' })
    })

    t.test('the audit names the job, its type and who ran it again', async t => {
      const { json } = await hub.call('GET', '/audit?action=job.retry')
      t.match(json, [{
        actor: { kind: 'token' },
        connectionId: shopId,
        objectId: id,
        objectName: 'master.order.create',
        changes: [{ pointer: '/status', from: 'dead', to: 'queued' }]
      }])
      t.equal((json as object[]).length, 1)
    })
  })

  t.test(`${mode}: an operator cancels a job`, async t => {
    const { hub, shopId, offer, poll, orderWhen, settle } = await openShopAndMarket(t, { mode })
    const cancel = (id: string, body: object = {}) => hub.call('POST', `/jobs/${id}/cancel`, { body })
    const jobOf = async (jobType: string, status: string): Promise<string> =>
      eventually(`a ${status} job`, async () => {
        const { json } = await hub.call('GET', `/jobs?jobType=${jobType}&status=${status}`)
        return (json as Job[])[0]?.id
      })

    t.test('one that waits ends at once, and its order fails with it until the job runs again', async t => {
      await hub.call('PATCH', `/connections/${shopId}/disable`)
      const placed = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 1 }] })
      const polled = poll()
      const id = await jobOf('master.order.create', 'waiting')
      const { json: waiting } = await hub.call('GET', `/jobs/${id}`)
      const answer = await cancel(id, { reason: 'wrong shop' })
      const failed = await orderWhen(placed, 'failed')

      t.match(waiting, { dueAt: /Z$/, waitsFor: { reason: 'connection-disabled', detail: / is disabled$/ } })
      t.match(answer, {
        status: 200,
        json: {
          id,
          status: 'cancelled',
          dueAt: null,
          waitsFor: null,
          problem: { code: 'LNK_JOB_CANCELLED', message: /wrong shop$/ },
          cancellation: { reason: 'wrong shop' }
        }
      })
      t.match(failed.problems[0], /^cancelled by '.+': wrong shop$/)
      t.match(problemOf(await cancel(id)), { status: 409, code: 'LNK_JOB_CANCELLED' })

      await hub.call('PATCH', `/connections/${shopId}`, { body: { status: 'active' } })
      t.equal((await hub.call('POST', `/jobs/${id}/retry`)).status, 202)
      await orderWhen(placed, 'created')
      await polled
      await settle()
      t.equal(hub.shop.orders().length, 1)
    })

    t.test('one that runs is broken off', async t => {
      const held = Promise.withResolvers<undefined>()
      hub.shop.faults.add({ method: 'GET', path: /\/api\/products/, until: held.promise })
      const body = { jobType: 'master.product.syncByExternalId', connectionId: shopId, payload: { externalId: '27' } }
      const { json } = await hub.call('POST', '/jobs', { body })
      const { jobId } = json as { jobId: string }
      await eventually('the request at the shop', async () => hub.shop.faults.pending() === 0 ? true : undefined)
      const answer = await cancel(jobId)
      const ended = await hub.endOf(jobId)
      held.resolve(undefined)

      // The run may end before the hub answers.
      const status = answer.status === 200 ? 'cancelled' : 'running'
      t.match(answer, {
        status: status === 'running' ? 202 : 200,
        json: { id: jobId, status, cancellation: { reason: null } }
      })
      t.match(ended, { status: 'cancelled', attempts: [{ error: { code: 'LNK_JOB_CANCELLED' } }] })
    })

    t.test('bad requests are refused', async t => {
      const id = await jobOf('master.order.create', 'succeeded')
      t.match(problemOf(await cancel(id)), { status: 409, code: 'LNK_JOB_SUCCEEDED' })
      t.match(problemOf(await cancel(nowhere)), { status: 404, code: 'LNK_JOB_NOT_FOUND' })
      for (
        const body of [{ reason: '' }, { reason: 'a\nb' }, { reason: 7 }, { reason: 'x'.repeat(501) }, { why: 'x' }]
      ) {
        t.match(problemOf(await cancel(id, body)), { status: 400, code: 'LNK_REQUEST_INVALID' })
      }
    })

    t.test('the audit names the job and who cancelled it', async t => {
      const { json } = await hub.call('GET', '/audit?action=job.cancel')
      t.match(json, [
        { actor: { kind: 'token' }, objectName: 'master.product.syncByExternalId' },
        { actor: { kind: 'token' }, objectName: 'master.order.create', connectionId: shopId }
      ])
    })
  })
}
