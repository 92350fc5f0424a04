import { randomUUID } from 'node:crypto'
import t from 'tap'
import { ConnectionNotFoundException } from '../../../src/errors.ts'
import { linkCertain, type LinkCertainOptions } from '../../../src/offers/marketplace/link-certain.ts'
import type { LinkSummary } from '../../../src/offers/marketplace/schemas.ts'
import { storeLinks } from '../../../src/offers/unlinked/store.ts'
import { blocked, cheapestKind, kinds, openJobsFor, type Jobs } from '../../jobs/support.ts'
import { openStand } from './support.ts'

const optionsOf = (
  jobs: Jobs,
  waiting: unknown[] = [],
  more: Partial<LinkCertainOptions> = {}
): LinkCertainOptions => ({
  database: jobs.database,
  enqueueJobs: jobs.enqueueJobs,
  stopping: new AbortController().signal,
  async waitingOrderJobs (_query, { connectionId, offerExternalIds }, link) {
    waiting.push([link, offerExternalIds])
    return [{ jobType: 'order.read', connectionId, payload: {}, idempotencyKey: `order:${link}` }]
  },
  ...more
})

for (const kind of kinds(t)) {
  t.test(`the offers whose variant is certain, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { query } = jobs.database
    t.beforeEach(() => query('delete from audit_entries'))
    const jobTypes = async () =>
      (await query<{ type: string }>('select job_type as type from jobs order by 1')).map(({ type }) => type)

    t.test('are linked with all that follows, the others stay, and a dry run says the same before', async t => {
      const { market, name, show, variantIdOf } = await openStand(jobs, ['v', 'w', 'x'])
      await name('v', { sku: 'SKU-1', name: 'Mug' })
      await name('w', { sku: 'SKU-2' })
      await name('x', { sku: 'SKU-2' })
      const price = { amount: '1.00', currency: 'PLN' }
      await show('a', { sku: 'SKU-1', title: 'A mug', status: 'INACTIVE', quantity: 7, price, ean: '5' })
      await show('b', { sku: 'SKU-2' })
      await show('c')
      const waiting: unknown[] = []
      const link = (dryRun: boolean) =>
        linkCertain(optionsOf(jobs, waiting), { connectionId: market, requestId: 'request' }, { dryRun })

      const plan = await link(true)
      t.strictSame({ ...plan, readAt: '' }, {
        dryRun: true,
        matched: 3,
        eligible: 1,
        linked: 0,
        skipped: [{ reason: 'several-variants', count: 1 }, { reason: 'no-match', count: 1 }],
        sample: [{
          externalId: 'a',
          title: 'A mug',
          variantId: variantIdOf('v'),
          name: 'Mug',
          sku: 'SKU-1',
          ean: null,
          matchedBy: 'sku'
        }],
        readAt: '',
        next: null,
        atMost: false
      })
      t.strictSame([await query('select id from offers'), await jobTypes(), waiting], [[], [], []])

      t.strictSame(await link(false), { ...plan, dryRun: false, linked: 1 })
      const offers = await query<Record<string, unknown>>('select * from offers')
      t.match(offers, [{
        external_id: 'a',
        variant_id: variantIdOf('v'),
        status: 'INACTIVE',
        title: 'A mug',
        price,
        sku: 'SKU-1',
        ean: '5',
        quantity: null,
        upstream_quantity: null,
        seen_at: /./,
        buffer: 0
      }])
      t.strictSame(waiting, [[offers[0]?.id, ['a']]])
      t.strictSame(await jobTypes(), ['marketplace.offerQuantity.update', 'order.read'])
      t.match(await query('select action, connection_id, object_name, changes from audit_entries'), [{
        action: 'offer.link',
        connection_id: market,
        object_name: '1 offer',
        changes: [{ pointer: '/links', to: [{ externalId: 'a', variantId: variantIdOf('v') }] }]
      }])
      t.strictSame(
        (await query<{ id: string }>('select external_id as id from unlinked_offers order by 1')).map(({ id }) => id),
        ['b', 'c']
      )
      t.match(await link(false), { matched: 2, eligible: 0, linked: 0, sample: { length: 0 }, readAt: null })
    })

    t.test('are only those that the request names, or that its text finds', async t => {
      const { market, name, show } = await openStand(jobs, ['v', 'w'])
      await name('v', { sku: 'SKU-1' })
      await name('w', { sku: 'SKU-2' })
      await show('a', { sku: 'SKU-1', title: 'Blue mug' })
      await show('b', { sku: 'SKU-2' })
      await show('c')
      const occasion = { connectionId: market, requestId: 'request' }
      const named = ['b', 'c', 'gone']

      t.match(await linkCertain(optionsOf(jobs), occasion, { dryRun: false, externalIds: named }), {
        matched: 3,
        eligible: 1,
        linked: 1,
        skipped: [{ reason: 'no-match', count: 1 }, { reason: 'unknown', count: 1 }]
      })
      t.match(await linkCertain(optionsOf(jobs), occasion, { dryRun: false, externalIds: ['b'] }), {
        matched: 1,
        linked: 0,
        skipped: [{ reason: 'already-linked', count: 1 }]
      })
      t.match(await linkCertain(optionsOf(jobs), occasion, { dryRun: true, filter: { q: 'red' } }), { matched: 0 })
      t.match(await linkCertain(optionsOf(jobs), occasion, { dryRun: false, filter: { q: 'BLUE' } }), { linked: 1 })
      t.match(await query('select object_name, changes from audit_entries order by id'), [
        { object_name: '1 offer', changes: [{ pointer: '/externalIds', to: named }, { pointer: '/links' }] },
        { object_name: '1 offer', changes: [{ pointer: '/filter', to: { q: 'BLUE' } }, { pointer: '/links' }] }
      ])
    })

    t.test('are linked to the last one by requests that go on where the one before ended', async t => {
      const variants = Array.from({ length: 7 }, (_, index) => `v${index}`)
      const { market, name, show } = await openStand(jobs, ['v', ...variants])
      for (const variant of variants) {
        await name(variant, { sku: variant })
        await show(`z ${variant}`, { sku: variant })
      }
      for (let none = 0; none < 600; none++) await show(`a ${String(none).padStart(3, '0')}`)
      const occasion = { connectionId: market, requestId: 'request' }
      const run = async (most: { scanned: number, linked: number }, dryRun: boolean) => {
        const answers = []
        let after: string | null = ''
        while (after !== null) {
          const answer: LinkSummary = await linkCertain(optionsOf(jobs, [], { most }), occasion, { dryRun, after })
          t.equal(answer.atMost, answer.next !== null)
          answers.push([answer.matched, answer.eligible, answer.linked])
          after = answer.next
        }
        return answers
      }

      t.strictSame(await run({ scanned: 500, linked: 100 }, true), [[500, 0, 0], [107, 7, 0]])
      t.strictSame(await run({ scanned: 5_000, linked: 3 }, true), [[603, 3, 0], [3, 3, 0], [1, 1, 0]])
      t.strictSame(await run({ scanned: 5_000, linked: 3 }, false), [[603, 3, 3], [3, 3, 3], [1, 1, 1]])
    })

    t.test('are linked once when two requests ask at the same time', async t => {
      const variants = Array.from({ length: 30 }, (_, index) => `v${index}`)
      const { market, name, show } = await openStand(jobs, ['v', ...variants])
      for (const variant of variants) {
        await name(variant, { sku: variant })
        await show(`offer of ${variant}`, { sku: variant })
      }
      const occasion = { connectionId: market, requestId: 'request' }
      const both = await Promise.all([
        linkCertain(optionsOf(jobs), occasion, { dryRun: false }),
        linkCertain(optionsOf(jobs), occasion, { dryRun: false })
      ])

      t.equal(both.reduce((sum, { linked }) => sum + linked, 0), 30)
      for (const { eligible, linked, skipped } of both) {
        const late = skipped.find(({ reason }) => reason === 'changed-meanwhile')?.count ?? 0
        t.equal(eligible, linked + late)
      }
      t.equal((await query('select id from offers')).length, 30)
      t.equal((await jobTypes()).filter(type => type === 'marketplace.offerQuantity.update').length, 30)
    })
  })
}

t.test('a link that is made while the request runs', {
  skip: cheapestKind === 'embedded' && 'an embedded database runs one transaction at a time'
}, async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { database } = jobs
  const { query } = database

  /** Links while another transaction, which has linked this offer to variant `v`, still runs. */
  async function linkDuring (externalId: string) {
    const stand = await openStand(jobs, ['v', 'w'])
    await stand.name('v', { sku: 'SKU-1' })
    await stand.name('w', { sku: 'SKU-2' })
    await stand.show('a', { sku: 'SKU-1' })
    await stand.show('b', { sku: 'SKU-2' })
    let running: ReturnType<typeof linkCertain> | undefined
    await database.transaction(async transaction => {
      await transaction.query('select id from variants where id = $1 for key share', [stand.variantId])
      await storeLinks(transaction.query, stand.market, [{
        id: randomUUID(),
        variantId: stand.variantId,
        externalId,
        status: 'ACTIVE',
        upstreamStatus: undefined,
        title: undefined,
        price: undefined,
        buffer: 0,
        frozenFields: [],
        problems: [],
        upstreamQuantity: undefined,
        isSeen: false
      }])
      running = linkCertain(optionsOf(jobs), { connectionId: stand.market, requestId: 'request' }, { dryRun: false })
      await blocked(query)
    })
    return running
  }

  t.test('to the offer is counted as skipped, and the others are linked', async t => {
    t.match(await linkDuring('a'), {
      eligible: 2,
      linked: 1,
      skipped: [{ reason: 'changed-meanwhile', count: 1 }]
    })
    t.equal((await query('select id from offers')).length, 2)
  })

  t.test('from another offer to the variant makes the offer ambiguous, so it is not linked', async t => {
    t.match(await linkDuring('another'), {
      eligible: 2,
      linked: 1,
      skipped: [{ reason: 'variant-has-offer', count: 1 }]
    })
    t.strictSame(
      (await query<{ id: string }>('select external_id as id from offers order by 1')).map(({ id }) => id),
      ['another', 'b']
    )
  })
})

t.test('an offer whose jobs cannot be stored is not linked either', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { market, name, show } = await openStand(jobs)
  await name('v', { sku: 'SKU-1' })
  await show('a', { sku: 'SKU-1' })
  const options = {
    ...optionsOf(jobs),
    enqueueJobs: async () => {
      throw new Error('no room')
    }
  }

  await t.rejects(linkCertain(options, { connectionId: market, requestId: 'request' }, { dryRun: false }), /no room/)
  t.strictSame(await jobs.database.query('select id from offers'), [])
  t.equal((await jobs.database.query('select id from unlinked_offers')).length, 1)
})

/** 501 offers with certain variants: two groups. */
async function openTwoGroups (jobs: Jobs) {
  const variants = Array.from({ length: 501 }, (_, index) => `v${String(index).padStart(3, '0')}`)
  const stand = await openStand(jobs, ['v', ...variants])
  await jobs.database.query('update variants set sku = external_id')
  for (const variant of variants) await stand.show(`offer ${variant}`, { sku: variant })
  return stand
}

t.test('a hub that stops between two groups says so, and a repetition links the rest', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { market } = await openTwoGroups(jobs)
  const stop = new AbortController()
  const occasion = { connectionId: market, requestId: 'request' }
  const options = optionsOf(jobs, [], {
    stopping: stop.signal,
    async enqueueJobs (requests, transaction) {
      stop.abort()
      return jobs.enqueueJobs(requests, transaction)
    }
  })

  await t.rejects(linkCertain(options, occasion, { dryRun: false }), { code: 'LNK_HUB_STOPPING', statusCode: 503 })
  t.match(await jobs.database.query('select count(*)::integer as count from offers'), [{ count: 500 }])
  t.match(await linkCertain(optionsOf(jobs), occasion, { dryRun: false }), { matched: 1, linked: 1 })
})

t.test('a connection that is deleted between two groups ends the request with what it did', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { market } = await openTwoGroups(jobs)
  const occasion = { connectionId: market, requestId: 'request' }
  let groups = 0
  const refusing = (from: number) =>
    optionsOf(jobs, [], {
      async enqueueJobs (requests, transaction) {
        groups += 1
        if (groups >= from) throw new ConnectionNotFoundException(market)
        return jobs.enqueueJobs(requests, transaction)
      }
    })

  await t.rejects(linkCertain(refusing(1), occasion, { dryRun: false }), { code: 'LNK_CONNECTION_NOT_FOUND' })
  groups = 0
  t.match(await linkCertain(refusing(2), occasion, { dryRun: false }), {
    matched: 500,
    eligible: 500,
    linked: 500,
    next: 'offer v499',
    atMost: true
  })
})
