import { randomUUID } from 'node:crypto'
import t from 'tap'
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
}
