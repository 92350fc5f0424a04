import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { JobRequest } from '../../src/jobs/job.ts'
import { getJob } from '../../src/jobs/store.ts'
import { updateOfferQuantity } from '../../src/offers/jobs.ts'
import {
  noteChangeNotWritten,
  noteNotCreated,
  noteNotEnded,
  noteQuantityNotWritten,
  storeRefused
} from '../../src/offers/own-problems.ts'
import { quantityKey } from '../../src/offers/quantity-jobs.ts'
import { cheapestKind, openJobsFor } from '../jobs/support.ts'
import { longAgo, openMarket } from './market.ts'

const told = { code: 'marketplace', detail: 'no pictures' }

t.test('problems that the hub notes on offers itself', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database
  const written = { quantity: 5, stock_version: 1, sent_link_version: 1, last_synced_at: longAgo }

  t.test('a refused quantity is forgotten only while it is the last one written', async t => {
    const { market, addOffer, offer, problems } = await openMarket(jobs)
    const refused = await addOffer({ ...written, upstream_quantity: 5, problems: [told] })
    const others = [
      await addOffer({ ...written, external_id: 'newer', quantity: 6 }),
      await addOffer({ ...written, external_id: 'ended', status: 'ENDED' }),
      await addOffer({ ...written, external_id: 'unwritten', last_synced_at: null }),
      await addOffer({ ...written, external_id: 'unnamed' })
    ]
    const refusalOf = (externalId: string, message: string) => ({ externalId, quantity: 5, message })
    await storeRefused(query, market, [
      ...['offer-1', 'newer', 'ended', 'unwritten'].map(externalId => refusalOf(externalId, 'at most 3')),
      refusalOf('offer-1', 'at most 2')
    ])

    t.match(await offer(refused), { quantity: null, stock_version: null, upstream_quantity: null })
    const [, problem, ...more] = await problems(refused) ?? []
    t.match(problem, { code: 'quantity-refused', detail: /at most 2$/ }, 'the last refusal counts')
    t.equal(more.length, 0)
    for (const id of others) {
      t.match(await offer(id), { stock_version: 1 })
      t.strictSame(await problems(id), [])
    }
  })

  t.test('a quantity that is refused again is refused since the first time', async t => {
    const { market, addOffer, problems } = await openMarket(jobs)
    const id = await addOffer(written)
    const refusal = [{ externalId: 'offer-1', quantity: 5, message: 'at most 3' }]
    const since = async () => (await problems(id))?.map(problem => Reflect.get(problem, 'since'))
    await storeRefused(query, market, refusal)
    const first = await since()
    await query(
      `update offers set
        quantity = 5,
        stock_version = 2,
        last_synced_at = now(),
        problems = jsonb_set(problems, '{0,since}', '"2025-01-01T00:00:00.000Z"')
      where id = $1`,
      [id]
    )
    await storeRefused(query, market, refusal)

    t.match(first, [/^\d{4}-.*Z$/])
    t.strictSame(await since(), ['2025-01-01T00:00:00.000Z'])
  })

  t.test('the job whose quantity is refused later dies of it, also when another job stood for it', async t => {
    const { market, addOffer } = await openMarket(jobs)
    const id = await addOffer({ ...written, stock_version: 4, sent_link_version: 2 })
    const requestOf = (version: number, linkVersion: number): JobRequest =>
      updateOfferQuantity.request({ offerId: id }, {
        connectionId: market,
        key: quantityKey({ id, connectionId: market, version, linkVersion })
      })
    const [earlier] = await jobs.enqueueJobs([requestOf(3, 2)])
    const [coalesced] = await jobs.enqueueJobs([requestOf(4, 2)])
    await query(
      `update jobs set state = null, due_at = null, outcome = 'succeeded', finished_at = $2, result = '{"quantity": 5}'
      where id = $1`,
      [earlier?.id, longAgo]
    )
    const died = {
      status: 'dead',
      problem: { code: 'LNK_ADAPTER_REJECTED', message: 'the marketplace refused the quantity: at most 3' },
      result: { quantity: 5 }
    }

    await storeRefused(query, market, [{ externalId: 'offer-1', quantity: 5, message: 'at most 3' }])

    t.match(await getJob(query, earlier?.id ?? ''), died)
    t.match(await getJob(query, coalesced?.id ?? ''), { ...died, coalescedInto: earlier?.id })
  })

  t.test('a draft fails with its last creation job, unless the marketplace has taken it', async t => {
    const { addOffer, offer, problems } = await openMarket(jobs)
    const [jobId, earlierId] = [randomUUID(), randomUUID()]
    const draft = { status: 'DRAFT', create_job_id: jobId }
    const id = await addOffer(draft)
    const taken = await addOffer({ ...draft, external_id: 'taken', created_upstream_at: longAgo })
    await noteNotCreated(query, id, earlierId, ['too late'])
    t.match(await offer(id), { status: 'DRAFT' })

    for (const offerId of [id, taken]) await noteNotCreated(query, offerId, jobId, ['no title', 'no price'])
    t.match(await offer(id), { status: 'FAILED' })
    t.strictSame(await problems(id), [
      { code: 'not-created', detail: 'no title' },
      { code: 'not-created', detail: 'no price' }
    ])
    t.match(await offer(taken), { status: 'DRAFT' })
    t.strictSame(await problems(taken), [])
  })

  t.test('a quantity that was not written is noted until another job has written it', async t => {
    const { market, addOffer, problems, setStock } = await openMarket(jobs)
    const offerId = await addOffer({ ...written, problems: [told] })
    const note = (reason: string) => noteQuantityNotWritten(query, { offerId, connectionId: market }, reason)
    const unwritten = (reason: string) => ({
      code: 'quantity-not-written',
      detail: `the quantity was not written: ${reason}`
    })
    await note('away')
    t.strictSame(await problems(offerId), [told], 'the last version is written')

    await setStock(6)
    await note('away')
    await note('still away')
    t.strictSame(await problems(offerId), [told, unwritten('still away')], 'the earlier note is replaced')

    await query("update offers set stock_version = 2, link_version = 2, problems = '[]' where id = $1", [offerId])
    await note('away')
    t.strictSame(await problems(offerId), [unwritten('away')], 'the link has a new version')
  })

  t.test('a note replaces an earlier one of its kind, and an ended or foreign offer gets none', async t => {
    const { market, shop, addOffer, problems } = await openMarket(jobs)
    const offerId = await addOffer({ problems: [told] })
    const ended = await addOffer({ external_id: 'ended', status: 'ENDED' })
    for (const note of [noteChangeNotWritten, noteNotEnded]) {
      await note(query, { offerId, connectionId: market }, 'away')
      await note(query, { offerId, connectionId: market }, 'refused')
      await note(query, { offerId: ended, connectionId: market }, 'away')
      await note(query, { offerId, connectionId: shop }, 'of another connection')
    }

    t.strictSame(await problems(offerId), [
      told,
      { code: 'change-not-written', detail: 'the change was not written: refused' },
      { code: 'not-ended', detail: 'the offer was not ended: refused' }
    ])
    t.strictSame(await problems(ended), [])
  })
})
