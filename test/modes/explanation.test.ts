import { randomUUID } from 'node:crypto'
import t from 'tap'
import { request } from 'undici'
import { eventually } from '../support/api.ts'
import { availableModes } from '../support/modes.ts'
import { problemOf } from '../support/problem.ts'
import { reconcile } from '../support/reconcile.ts'
import { openShopAndMarket } from '../support/shop-and-market.ts'

interface Explanation {
  verdict: string
  sentence: string
  variant: { name: string, sku: string } | null
  contributing: { verdict: string }[]
  chain: { step: string, quantity: number | null, jobId?: string }[]
  evidence: { jobId?: string, until?: string }
  nextAction: { command: string | null, call: Call | null }
}
interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  body: object | null
}

const productId = 27
const nowhere = '00000000-0000-4000-8000-000000000000'

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: why an offer shows its quantity`, async t => {
    const { hub, shopId, marketId, offer, settle, orderWhen } = await openShopAndMarket(t, { mode })
    const [{ id = '' } = {}] = (await hub.call('GET', `/offers?externalId=${offer}`)).json as { id: string }[]
    const explain = async (offerId = id): Promise<Explanation> =>
      (await hub.call('GET', `/offers/${offerId}/explanation`)).json as Explanation
    /** Waits for a verdict, and for its job to wait for a time when `until` is set. */
    const explained = (verdict: string, { until = false } = {}): Promise<Explanation> =>
      eventually(`the verdict ${verdict}`, async () => {
        const found = await explain()
        return found.verdict === verdict && (!until || found.evidence.until !== undefined) ? found : undefined
      })
    const verdictsOf = ({ verdict, contributing }: Explanation): string[] => [
      verdict,
      ...contributing.map(other => other.verdict)
    ]
    /** Sends the call of the next action, as a client with a button would. */
    const act = async ({ nextAction: { call } }: Explanation): Promise<unknown> => {
      if (call === null) throw new Error('the next action has no call')
      const { method, path, body } = call
      const { status, json } = await hub.call(method, path, body === null ? {} : { body })
      t.ok(status < 300, `${method} ${path}: ${status}`)
      return json
    }
    /** Makes the last write so old that the marketplace shows it. */
    const age = () =>
      hub.database().query("update offers set last_synced_at = now() - interval '1 hour', written_at = null")
    /** Lets the hub read the offers once the last write is visible. */
    const compare = async (): Promise<void> => {
      await settle()
      await age()
      await reconcile(hub, marketId)
    }
    const sell = (quantity: number): void => {
      hub.shop.setQuantity(productId, 101, quantity)
    }
    /** Changes the quantity at the marketplace with another program than the hub. */
    const setThere = async (stock: number): Promise<void> => {
      await request(`${hub.market.baseUrl}/products/${offer}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${hub.keys.market}`, 'content-type': 'application/json' },
        body: JSON.stringify({ stock })
      })
    }
    const start = async (jobType: string, connectionId: string, payload: object = {}): Promise<string> => {
      const { json } = await hub.call('POST', '/jobs', { body: { jobType, connectionId, payload } })
      return (json as { jobId: string }).jobId
    }
    const readShop = () => start('master.inventory.syncByExternalId', shopId, { externalId: String(productId) })
    const failWrites = (status: number, headers: Record<string, string> = {}): void => {
      hub.market.faults.add({
        method: 'PATCH',
        path: /\/products\//,
        times: Number.POSITIVE_INFINITY,
        answer: { status, headers, body: { failureType: 'failure', message: 'not now', name: 'Error' } }
      })
    }
    /** Ends the faults, and every job that they keep waiting. */
    const recover = async (): Promise<void> => {
      hub.market.faults.clear()
      hub.shop.faults.clear()
      await hub.call('POST', `/connections/${marketId}/upstream/reset`)
      await hub.database().query("update jobs set due_at = now() where state = 'returned'")
      hub.database().notify('jobs')
      await settle()
    }

    t.test('written just now, then not read, then in step', async t => {
      const fresh = await explain()
      t.match(fresh, {
        verdict: 'within-lag',
        variant: { name: 'Mug Red', sku: 'SKU-27-R' },
        chain: [
          { step: 'master', quantity: 20 },
          { step: 'after-reservations', quantity: 20 },
          { step: 'after-limits', quantity: 20 },
          { step: 'wanted', quantity: 20 },
          { step: 'written', quantity: 20 },
          { step: 'shown', quantity: null }
        ]
      })
      t.ok(Date.parse(fresh.evidence.until ?? '') > Date.now())
      const { jobId = '' } = fresh.chain[4] ?? {}
      t.match((await hub.call('GET', `/jobs/${jobId}`)).json, { jobType: 'marketplace.offerQuantity.update' })
      await age()
      t.match(await explain(), { verdict: 'shown-not-read', nextAction: { command: `linker offers refresh ${id}` } })
      await reconcile(hub, marketId)

      t.match(await explain(), {
        verdict: 'in-step',
        sentence: /^Offer shows 20, as it should: /,
        contributing: { length: 0 },
        nextAction: { command: null }
      })
    })

    t.test('limited by its buffer and its largest quantity', async t => {
      const limit = (body: object) => hub.call('PATCH', `/offers/${id}`, { body })
      await limit({ buffer: 2, maxListed: 10 })
      await compare()

      t.match(await explain(), {
        verdict: 'limited',
        sentence: 'Offer shows 10, as it should: the buffer keeps back 2 pieces and the offer lists 10 at most.',
        contributing: [{ verdict: 'in-step' }]
      })
      await limit({ buffer: 0, maxListed: null })
      await compare()
    })

    t.test('read within the lag: older, changed there, then in step', async t => {
      const read = async (stock: number): Promise<Explanation> => {
        await setThere(stock)
        const { json } = await hub.call('POST', `/offers/${id}/refresh`)
        const { result } = await hub.endOf((json as { jobId: string }).jobId)
        const { differs } = (result as { found: { differs: string[] } }).found
        t.equal(differs.includes('quantity'), stock !== 19)
        return explain()
      }
      const drifting = async () => (await hub.call('GET', '/stock?drift=true')).json
      await hub.call('PATCH', `/offers/${id}`, { body: { buffer: 1 } })
      await settle()

      t.match(await read(20), {
        verdict: 'within-lag',
        sentence: /\(read at (\d{4}-\d\d-\d\d )?\d\d:\d\d UTC: 20, which may be from before the write\)/
      })
      t.strictSame(await drifting(), [])
      t.match(await read(99), {
        verdict: 'changed-there',
        sentence: /^Offer shows 99, should show 19: .*; '.*' showed 99 at .*: somebody changed it there\.$/,
        evidence: { until: /Z$/ }
      })
      t.match(await drifting(), [{ offers: [{ offerId: id, sentQuantity: 19, upstreamQuantity: 99 }] }])
      t.match(await read(19), { verdict: 'limited', contributing: [{ verdict: 'in-step' }] })
      t.strictSame(await drifting(), [])
      await hub.call('PATCH', `/offers/${id}`, { body: { buffer: 0 } })
      await compare()
    })

    t.test('reserved by an order until the shop has it', async t => {
      const path = `/connections/${shopId}`
      await hub.call('POST', `${path}/pause`, { body: { capabilities: ['OrderProcessorManager'] } })
      const placed = hub.market.placeOrder({ lines: [{ externalId: offer, quantity: 3, unitPrice: 4_999 }] })
      await start('marketplace.orders.poll', marketId)
      const order = await orderWhen(placed, 'ready')
      // The marketplace takes the pieces off by itself, before the hub writes.
      await eventually('the write', async () => {
        const { json } = await hub.call('GET', `/offers/${id}`)
        return (json as { quantity: number }).quantity === 17 ? true : undefined
      })
      await age()
      await reconcile(hub, marketId)

      const found = await explain()
      t.match(found, {
        verdict: 'reserved',
        sentence:
          new RegExp(`^Offer shows 17, as it should: 3 pieces are reserved by order '${placed}' \\(first read at`),
        evidence: { orders: [{ id: order.id, externalId: placed, quantity: 3, status: 'ready' }] },
        nextAction: { command: `linker orders show ${order.id}` },
        chain: [{ quantity: 20 }, { quantity: 17 }]
      })
      await hub.call('POST', `${path}/resume`, { body: { capabilities: ['OrderProcessorManager'] } })
      await orderWhen(placed, 'created')
      await settle()
      t.match(await explain(), { verdict: 'in-step', chain: [{ quantity: 17 }, { quantity: 17 }] })
    })

    t.test('the marketplace asks for rest', async t => {
      failWrites(429, { 'retry-after': '300' })
      sell(9)
      await readShop()
      const found = await explained('write-waiting', { until: true })

      t.match(found, {
        sentence: /^Offer shows 17, should show 9: the write waits for '.*', which asked for rest until .*\d\d:\d\d UTC/
      })
      t.match((await hub.call('GET', `/jobs/${found.evidence.jobId}`)).json, {
        status: 'waiting',
        waitsFor: { reason: 'rate-limit', until: found.evidence.until }
      })
      await recover()
      t.match(await explain(), { verdict: 'within-lag', chain: [{}, {}, {}, {}, { quantity: 9 }] })
    })

    t.test('the write died, or was refused', async t => {
      failWrites(302, { location: '/moved' })
      sell(8)
      await readShop()
      const died = await explained('write-dead')
      t.match(died, {
        sentence: /should show 8: job \S+, which should write it, died at /,
        evidence: { code: /^LNK_/ }
      })
      t.equal(died.nextAction.command, `linker jobs retry ${died.evidence.jobId}`)
      hub.market.faults.clear()
      await act(died)
      await explained('within-lag')

      failWrites(400)
      sell(7)
      await readShop()
      t.match(await explained('write-refused'), {
        sentence: /refused job \S+, which should write it: it died at .* with LNK_ADAPTER_REJECTED: .*not now/,
        evidence: { code: 'LNK_ADAPTER_REJECTED' }
      })
      hub.market.faults.clear()
      await age()
      await hub.call('POST', `/offers/${id}/refresh`)
      await explained('within-lag')
    })

    t.test('the connection is paused, or in error', async t => {
      const path = `/connections/${marketId}`
      await hub.call('POST', `${path}/pause`, { body: { reason: 'inventory' } })
      sell(6)
      await readShop()
      await eventually('the waiting write', async () => {
        return verdictsOf(await explain()).includes('write-waiting') ? true : undefined
      })
      t.match(await explain(), {
        verdict: 'connection-paused',
        sentence: /should show 6: connection '.*' is paused by .* since .* until somebody resumes it: inventory\.$/,
        nextAction: { command: `linker connections resume ${marketId}` }
      })
      failWrites(401)
      await act(await explain())
      const inError = await explained('connection-error')
      t.equal(inError.nextAction.command, `linker connections test ${marketId}`)
      hub.market.faults.clear()
      t.match(await act(inError), { success: true })
      await recover()
      await explained('within-lag')
    })

    t.test('somebody changed the quantity at the marketplace, or froze it', async t => {
      await setThere(30)
      failWrites(429, { 'retry-after': '300' })
      await age()
      await start('marketplace.offers.sync', marketId)
      t.match(await explained('changed-there'), {
        sentence: /^Offer shows 30, should show 6: '.*' showed 30 at .*, not the 6 that the hub wrote at /,
        contributing: [{ verdict: 'write-waiting' }]
      })
      // The write that is under way must have been refused, or it would wait beyond `recover`.
      await eventually('the refused write', async () => {
        const [refusedWrite] = await hub.database().query(`
          select id
          from jobs
          where job_type = 'marketplace.offerQuantity.update'
            and state = 'returned'
            and due_at > now() + interval '1 minute'`)
        return refusedWrite
      })
      await recover()
      t.match(await explain(), {
        verdict: 'changed-there',
        sentence: /'.*' showed 30 at .*, not the 6 that the hub had written: .*; the hub wrote 6 at /,
        contributing: [{ verdict: 'within-lag' }]
      }, 'the write that repairs it does not hide it')
      hub.market.editInPanel(offer, { stock: 40 })
      await compare()
      t.match(await explain(), {
        verdict: 'frozen-by-seller',
        sentence: /^Offer shows 40, should show 6: the seller froze/
      })
      hub.market.unfreeze(offer, ['stock'])
      await compare()
      await compare()
      t.match(await explain(), { verdict: 'in-step' })
    })

    t.test('the shop could not be read, or is disabled', async t => {
      hub.shop.faults.add({ path: /./, times: Number.POSITIVE_INFINITY, answer: { status: 400 } })
      const jobId = await readShop()
      t.match(await hub.endOf(jobId), { status: 'dead' })
      t.match(await explain(), {
        verdict: 'master-not-read',
        evidence: { jobId, code: /^LNK_/ },
        nextAction: { command: `linker jobs retry ${jobId}` },
        contributing: [{ verdict: 'in-step' }]
      })
      hub.shop.faults.clear()
      await hub.endOf(await readShop())
      t.match(await explain(), { verdict: 'in-step' })
      await hub.call('PATCH', `/connections/${shopId}/disable`)
      t.match(await explain(), {
        verdict: 'master-not-read',
        sentence: /shop '.*' is disabled; meanwhile its stock is not read \(the stock was last read at /
      })
      await act(await explain())
      t.match((await hub.call('GET', `/connections/${shopId}`)).json, { status: 'active' })
    })

    t.test('an unlinked offer follows nothing, and an unknown one is refused', async t => {
      await hub.call('DELETE', `/offers/${id}`)
      const { json } = await hub.call('GET', `/offers/unlinked?externalId=${offer}`)
      const [unlinked] = json as { id: string }[]

      t.match(await explain(unlinked?.id), {
        verdict: 'not-linked',
        variant: null,
        sentence: new RegExp(`^Offer '${offer}' shows 6 .*: an operator unlinked it at `),
        chain: [{ step: 'shown', quantity: 6 }]
      })
      for (const unknown of [id, nowhere, randomUUID()]) {
        const answer = await hub.call('GET', `/offers/${unknown}/explanation`)
        t.match(problemOf(answer), { status: 404, code: 'LNK_OFFER_NOT_FOUND' })
      }
      const bad = await hub.call('GET', '/offers/17/explanation')
      t.match(problemOf(bad), { status: 400, code: 'LNK_REQUEST_INVALID' })
      for (const query of ['externalId=', 'sku=%01', `ean=${'9'.repeat(1_024)}`]) {
        t.match(problemOf(await hub.call('GET', `/offers?${query}`)), { status: 400 }, query)
      }
    })
  })
}
