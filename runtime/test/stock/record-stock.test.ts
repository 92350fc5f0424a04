import type { StockLevel } from '@linker/sdk'
import t from 'tap'
import { variantIdOf } from '../../src/catalog/identity.ts'
import { markGone } from '../../src/stock/mark-gone.ts'
import { recordReadings, recordStock, storeQuantities, type StockReading } from '../../src/stock/record-stock.ts'
import { recordReserved } from '../../src/stock/reserved-pieces.ts'
import { listStockOf } from '../../src/stock/store.ts'
import { enqueueOne, ended, kinds, openJobsFor, stateJob } from '../jobs/support.ts'

const nobody = '00000000-0000-4000-8000-000000000000'

for (const kind of kinds(t)) {
  t.test(`recorded stock, ${kind}`, async t => {
    const jobs = await openJobsFor(t, kind)
    const { database, addConnection } = jobs
    const level = (quantity: number, product = 'p') => ({
      productExternalId: product,
      variantExternalId: 'v',
      quantity
    })
    const stockOf = async (connectionId: string) =>
      (await database.query<{ quantity: number, reserved: number, version: number }>(
        'select quantity, reserved, version from stock where variant_id = $1',
        [variantIdOf(connectionId, 'p', 'v')]
      ))[0]
    let last: string | undefined
    /**
     * Returns the time of the database, later at every call: waits for the next millisecond if
     * necessary, because the clock of the embedded database counts milliseconds.
     */
    async function now (): Promise<string> {
      const [row] = await database.query<{ now: string }>('select clock_timestamp()::text as now')
      if (row === undefined || row.now === last) return now()
      last = row.now
      return row.now
    }
    /** Records stock levels as a reading that began just now. */
    const record = async (connectionId: string, levels: StockLevel[]) =>
      recordStock(database, { id: nobody, connectionId, claimedAt: await now() }, levels)

    t.test('the first stock of a variant starts a reading of its product, later stock is propagated', async t => {
      const id = await addConnection()
      const made = [await record(id, [level(5)]), await record(id, [level(5)]), await record(id, [level(6)])]

      t.strictSame(made.map(following => following.map(({ jobType }) => jobType)), [
        ['master.product.syncByExternalId'],
        ['inventory.propagateToMarketplaces'],
        ['inventory.propagateToMarketplaces']
      ])
      t.strictSame(made.slice(1).map(([following]) => following?.payload.stockVersion), [1, 2])
    })

    t.test('what follows from a webhook, and not from a replay, says when the hub received it', async t => {
      const id = await addConnection()
      await record(id, [level(5)])
      const publishedAt = '2026-01-31T10:00:00.000Z'
      const follow = async (quantity: number, payload: Record<string, unknown>) => {
        const [job] = await recordStock(
          database,
          { id: nobody, connectionId: id, claimedAt: await now(), payload },
          [level(quantity)]
        )
        return job?.payload.receivedAt
      }

      t.equal(await follow(6, { publishedAt }), publishedAt)
      t.equal(await follow(7, { publishedAt, replayOf: nobody }), undefined)
      t.equal(await follow(8, { publishedAt: 5 }), undefined)
      t.equal(await follow(9, {}), undefined)
    })

    t.test('a page of a listing does not overwrite a reading that began after the listing', async t => {
      const id = await addConnection()
      await record(id, [level(5)])
      const before = await now()
      await record(id, [level(4)])
      const { stored } = await storeQuantities(database, id, [level(5)], before)

      t.strictSame(stored, [])
      t.match(await stockOf(id), { quantity: 4, version: 2 })
      t.match((await storeQuantities(database, id, [level(7)], await now())).stored, [{ version: 3 }])
      t.match(await stockOf(id), { quantity: 7 })
    })

    /** A level of a variant that sells from a stock with others. */
    const shared = (variantExternalId: string, quantity: number, sharedStockId = 'pool') => ({
      productExternalId: 'p',
      variantExternalId,
      quantity,
      sharedStockId
    })
    const rowsOf = async (connectionId: string) =>
      database.query<{ name: string, quantity: number, version: number, isCounted: boolean }>(
        `select variants.external_id as name, quantity, version, is_counted as "isCounted"
        from stock
        join variants on variants.id = stock.variant_id
        join products on products.id = variants.product_id
        where connection_id = $1
        order by 1`,
        [connectionId]
      )
    const propagated = (jobs: readonly { jobType: string, payload: Readonly<Record<string, unknown>> }[]) =>
      jobs.filter(({ jobType }) => jobType === 'inventory.propagateToMarketplaces')
        .map(({ payload }) => payload.variantId)
        .toSorted()

    t.test('a new quantity of a shared stock is that of all its variants, and all are propagated', async t => {
      const id = await addConnection()
      const idOf = (name: string) => variantIdOf(id, 'p', name)
      await record(id, [shared('red', 5), shared('blue', 5), shared('green', 9, 'other')])

      const jobs = await record(id, [shared('red', 3)])

      t.strictSame(propagated(jobs), [idOf('red'), idOf('blue')].toSorted())
      t.match(await rowsOf(id), [
        { name: 'blue', quantity: 3, version: 2 },
        { name: 'green', quantity: 9, version: 1 },
        { name: 'red', quantity: 3, version: 2 }
      ])
      const [same] = await record(id, [shared('blue', 3)])
      t.equal(same?.payload.stockVersion, 2, 'nothing changed')
    })

    t.test('an earlier reading of one variant overwrites no later one of another', async t => {
      const connectionId = await addConnection()
      await record(connectionId, [shared('red', 5), shared('blue', 5)])
      const earlier = await now()
      await record(connectionId, [shared('red', 2)])

      await recordStock(database, { id: nobody, connectionId, claimedAt: earlier }, [shared('blue', 8)])

      t.match(await rowsOf(connectionId), [{ name: 'blue', quantity: 2 }, { name: 'red', quantity: 2 }])
    })

    t.test('an earlier reading does not split a stock that a later one found unchanged', async t => {
      const connectionId = await addConnection()
      await record(connectionId, [shared('red', 5), shared('blue', 5)])
      const earlier = await now()
      await record(connectionId, [shared('red', 5)])

      await recordStock(database, { id: nobody, connectionId, claimedAt: earlier }, [
        shared('blue', 8),
        shared('green', 8)
      ])

      t.match(await rowsOf(connectionId), [
        { name: 'blue', quantity: 5, version: 1 },
        { name: 'green', quantity: 5 },
        { name: 'red', quantity: 5, version: 1 }
      ])
      await database.query("update stock set read_at = now() + interval '1 hour'")
      await record(connectionId, [shared('blue', 4)])
      t.match(await rowsOf(connectionId), [{ quantity: 4 }, { quantity: 4 }, { quantity: 4 }], 'a clock was ahead')
    })

    t.test('of several quantities of one shared stock, the smallest counts', async t => {
      const id = await addConnection()
      await record(id, [shared('red', 5), shared('blue', 4), { ...shared('green', 7), isCounted: false }])

      t.match(await rowsOf(id), [{ quantity: 4 }, { quantity: 4, isCounted: true }, { quantity: 4 }])
    })

    t.test('readings of two jobs that tell one shared stock come one after the other', async t => {
      const connectionId = await addConnection()
      await record(connectionId, [shared('red', 5), shared('blue', 5)])
      const reading = { id: nobody, connectionId, claimedAt: await now() }

      await recordReadings(database, [{ reading, levels: [shared('red', 3)] }, {
        reading,
        levels: [shared('blue', 2)]
      }])

      t.match(await rowsOf(connectionId), [{ quantity: 2 }, { quantity: 2 }])
    })

    t.test('a variant that is gone keeps no pieces when the others change', async t => {
      const id = await addConnection()
      await record(id, [shared('red', 5), shared('blue', 5)])
      await markGone(database.query, [variantIdOf(id, 'p', 'red')], await now())

      await record(id, [shared('blue', 4)])

      t.match(await rowsOf(id), [{ name: 'blue', quantity: 4 }, { name: 'red', quantity: 0 }])
    })

    for (const [reading, named] of [['the variant', ['red']], ['the whole stock', ['red', 'blue']]] as const) {
      t.test(`a variant that joins a stock brings its reserved pieces, in a reading of ${reading}`, async t => {
        const id = await addConnection()
        const [red, blue] = [variantIdOf(id, 'p', 'red'), variantIdOf(id, 'p', 'blue')]
        const { sharedStockId, ...own } = shared('red', 5)
        await record(id, [own, shared('blue', 5, sharedStockId)])
        await recordReserved(database, [{ variantId: red, by: 2 }])

        const jobs = await record(id, named.map(name => shared(name, 5)))

        t.strictSame(propagated(jobs), [red, blue].toSorted())
        t.match(await listStockOf(database.query, [blue]), [{ quantity: 5, reserved: 2 }])
        t.match(await rowsOf(id), [{ name: 'blue', version: 2 }, { name: 'red', version: 3 }])
        t.strictSame(
          jobs.map(({ payload }) => payload.stockVersion).toSorted(),
          [2, 3],
          'an earlier propagation has neither of these keys'
        )
      })
    }

    for (const [goal, sharedStockId] of [['another', 'other'], ['no', undefined]] as const) {
      t.test(`a variant that moves to ${goal} stock takes its reserved pieces with it`, async t => {
        const id = await addConnection()
        const [red, blue] = [variantIdOf(id, 'p', 'red'), variantIdOf(id, 'p', 'blue')]
        await record(id, [shared('red', 5), shared('blue', 5)])
        await recordReserved(database, [{ variantId: red, by: 2 }])
        const moved = { ...level(7), variantExternalId: 'red' }

        const jobs = await record(id, [sharedStockId === undefined ? moved : { ...moved, sharedStockId }])

        t.strictSame(propagated(jobs), [red, blue].toSorted())
        t.match(await listStockOf(database.query, [blue]), [{ quantity: 5, reserved: 0 }])
        t.match(await rowsOf(id), [
          { name: 'blue', quantity: 5, version: 3 },
          { name: 'red', quantity: 7, version: 3 }
        ])
      })
    }

    t.test('a stock that the shop does not count has the usual pieces, until it counts them', async t => {
      const id = await addConnection()
      const endless = { ...level(0), isCounted: false }
      await record(id, [level(5)])

      await record(id, [endless])
      t.match(await rowsOf(id), [{ quantity: 100, isCounted: false, version: 2 }])
      await record(id, [{ ...endless, quantity: 7 }])
      t.match(await rowsOf(id), [{ version: 2 }], 'its quantity means nothing')
      await record(id, [level(100)])
      t.match(await rowsOf(id), [{ quantity: 100, isCounted: true, version: 3 }], 'the same number is another stock')
    })

    t.test('readings of several jobs and shops are stored as if one came after the other', async t => {
      const [one, other] = [await addConnection(), await addConnection()]
      for (const id of [one, other]) await record(id, [level(5)])
      const claimedAt = await now()
      const readingOf = (connectionId: string, quantity: number, requestId: string) => ({
        reading: { id: nobody, connectionId, claimedAt, requestId },
        levels: [level(quantity)]
      })
      const jobsOf = async (...readings: StockReading[]) =>
        (await recordReadings(database, readings)).map(({ connectionId, requestId, payload: { stockVersion } }) => [
          connectionId,
          requestId,
          stockVersion
        ])

      t.strictSame(await jobsOf(readingOf(one, 7, 'a'), readingOf(other, 8, 'b')), [[one, 'a', 2], [other, 'b', 2]])
      t.match([await stockOf(one), await stockOf(other)], [{ quantity: 7 }, { quantity: 8 }])
      t.strictSame(
        await jobsOf(readingOf(one, 1, 'c'), readingOf(other, 2, 'd'), readingOf(one, 3, 'e')),
        [[one, 'c', 3], [other, 'd', 3], [one, 'e', 4]],
        'the same variant twice'
      )
      t.match([await stockOf(one), await stockOf(other)], [{ quantity: 3 }, { quantity: 2 }])
    })

    t.test('an earlier reading that ends late overwrites nothing, and its job counts it as outdated', async t => {
      const connectionId = await addConnection()
      await record(connectionId, [level(5)])
      const slow = Promise.withResolvers<void>()
      const started = Promise.withResolvers<void>()
      jobs.startWorker(async job => {
        const { object, quantity } = job.payload as { object: string, quantity: number }
        if (object === 'slow') {
          started.resolve()
          await slow.promise
        }
        return {
          result: { variants: 1 },
          effects: transaction => recordStock(transaction, { ...job, connectionId }, [level(quantity)])
        }
      })
      const read = (object: string, quantity: number) =>
        enqueueOne(jobs, stateJob(object, { connectionId, payload: { object, quantity } }))
      const first = await read('slow', 9)
      await started.promise
      await ended(jobs, [await read('quick', 3)])
      slow.resolve()
      const [late] = await ended(jobs, [first])

      t.match(late, { status: 'succeeded', result: { variants: 1, outdated: 1 } })
      t.match(await stockOf(connectionId), { quantity: 3, version: 2 })
      await ended(jobs, [await read('quick', 4)])
      t.match(await stockOf(connectionId), { quantity: 4, version: 3 })
    })

    t.test('only a reading that began after a variant was marked as missing brings the variant back', async t => {
      const id = await addConnection()
      await record(id, [level(5)])
      const before = await now()
      await markGone(database.query, [variantIdOf(id, 'p', 'v')], await now())
      const isMissing = async () =>
        (await database.query('select 1 from variants where missing_at is not null')).length === 1
      await recordStock(database, { id: nobody, connectionId: id, claimedAt: before }, [level(5)])

      t.match(await stockOf(id), { quantity: 0 })
      t.ok(await isMissing())
      await record(id, [level(5)])
      t.match(await stockOf(id), { quantity: 5 })
      t.notOk(await isMissing())
    })

    t.test('a stored time in the future, from a clock that was ahead, does not block later readings', async t => {
      const id = await addConnection()
      await record(id, [level(5)])
      await database.query("update stock set read_at = now() + interval '1 hour'")
      await record(id, [level(4)])

      t.match(await stockOf(id), { quantity: 4 })
    })

    t.test('the reserved pieces of a variant are summed, never fall below zero, and raise its version', async t => {
      const id = await addConnection()
      await record(id, [level(5)])
      const variantId = variantIdOf(id, 'p', 'v')

      t.match(await recordReserved(database, [{ variantId, by: 2 }, { variantId, by: 1 }]), [{ variantId, version: 2 }])
      t.match(await stockOf(id), { quantity: 5, reserved: 3 })
      t.strictSame(await recordReserved(database, [{ variantId, by: 1 }, { variantId, by: -1 }]), [])
      await recordReserved(database, [{ variantId, by: -4 }])
      t.match(await stockOf(id), { reserved: 0, version: 3 })
    })
  })
}
