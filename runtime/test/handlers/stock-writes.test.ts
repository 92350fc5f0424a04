import { AdapterErrorCode, NotFoundError, RejectedError, type QuantityChange } from '@linker/sdk'
import { randomUUID } from 'node:crypto'
import { mock } from 'node:test'
import t from 'tap'
import type { OpenConnection } from '../../src/connections/open-connection.ts'
import type { HandledJob } from '../../src/handlers/kept-effects.ts'
import { createStockWrites, type CallOffers } from '../../src/handlers/stock-writes.ts'

const connectionId: string = randomUUID()
const used = { connectionId, credentialsVersion: 'db:a:1' }
const done = { applied: ['stock'], frozen: [] }

function opened (methods: string[]): OpenConnection {
  const description: Pick<OpenConnection['adapter']['description'], 'capabilities'> = {
    capabilities: { OfferManager: methods }
  }
  return { snapshot: { id: connectionId, version: '1' }, adapter: { version: '1.0.0', description } } as OpenConnection
}

const many = opened(['updateOfferQuantity', 'updateOfferQuantities'])

/** Waits for this many turns of the event loop. */
async function turns (count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate)
}

function jobOf (signal = new AbortController().signal): HandledJob {
  return {
    id: randomUUID(),
    jobType: 'marketplace.offerQuantity.update',
    connectionId,
    payload: {},
    requestId: randomUUID(),
    claimedAt: '2026-01-01 00:00:00+00',
    signal,
    deadline: Date.now() + 60_000,
    keep: () => undefined,
    servedBy: () => undefined
  }
}

/**
 * Makes a marketplace that answers when it is open. In a call for many offers, `refuse` gives the
 * part of an offer's result that differs from success; undefined leaves the offer out. In a call
 * for one offer, `refuseOne` may throw.
 */
function createMarket (
  refuse: (externalId: string) => object | undefined = () => ({}),
  isOpen = true,
  refuseOne: (externalId: string) => void = () => undefined
) {
  const calls: { method: string, job: HandledJob, writes: QuantityChange[] }[] = []
  const opening = Promise.withResolvers<void>()
  const called = Promise.withResolvers<void>()
  if (isOpen) opening.resolve()
  const call: CallOffers = async (job, _opened, _capability, method, ...args) => {
    const writes = [args[0]].flat() as QuantityChange[]
    calls.push({ method, job, writes })
    called.resolve()
    await opening.promise
    job.signal.throwIfAborted()
    if (method === 'updateOfferQuantity') {
      for (const { externalId } of writes) refuseOne(externalId)
      return { value: done, used }
    }
    const value = writes.flatMap(({ externalId }) =>
      refuse(externalId) === undefined ? [] : [{ externalId, ...done, ...refuse(externalId) }]
    ).toReversed()
    return { value, used }
  }
  const { expect, write } = createStockWrites(call)
  return {
    calls,
    called: called.promise,
    open: opening.resolve,
    write,
    /** Runs a job: announces it, looks its offer up, and writes. */
    async run (externalId: string, lookUp: Promise<unknown> = Promise.resolve(), job = jobOf()) {
      const arrive = expect(connectionId)
      try {
        await lookUp
        arrive()
        return await write(job, many, 'OfferManager', { externalId, quantity: 5 })
      } finally {
        arrive()
      }
    },
    written: () => calls.map(({ method, writes }) => [method, writes.map(({ externalId }) => externalId).join(' ')])
  }
}

t.test('one call writes the quantities of jobs that come together, and a job alone has its own call', async t => {
  const market = createMarket()
  // A call waits a moment for other jobs. The clock stands still, so that the moment does not end
  // on a slow machine.
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => {
    mock.timers.reset()
  })
  await market.run('alone')

  t.strictSame(await Promise.all([market.run('a'), market.run('b', turns(3)), market.run('c')]), [done, done, done])
  t.strictSame(market.written(), [['updateOfferQuantity', 'alone'], ['updateOfferQuantities', 'a c b']])
  t.equal(market.calls[1]?.job.requestId, undefined, 'of several requests')
})

t.test('the effects of a call for many jobs are stored with each of them', async t => {
  const market = createMarket()
  const kept: string[] = []
  const keeping = (name: string): HandledJob => ({
    ...jobOf(),
    keep (_connectionId, { jobs }) {
      kept.push(`${name}: ${jobs.map(({ key }) => key).join(' ')}`)
    }
  })
  await Promise.all([market.run('a', undefined, keeping('a')), market.run('b', undefined, keeping('b'))])
  market.calls[0]?.job.keep(connectionId, {
    cursors: {},
    jobs: [{ jobType: 'market.check', payload: {}, key: 'check' }]
  })

  t.strictSame(kept, ['a: check', 'b: check'], 'the first may fail by itself')
})

t.test('an announced job that does not come delays the others for a moment only', async t => {
  const market = createMarket()
  const away = Promise.withResolvers<void>()
  const late = market.run('late', away.promise)

  t.strictSame(await Promise.all([market.run('a'), market.run('b')]), [done, done])
  away.resolve()
  await late
  t.strictSame(market.written(), [['updateOfferQuantities', 'a b'], ['updateOfferQuantity', 'late']])
})

t.test('writes that come during a call become the next one, a hundred at most', async t => {
  const market = createMarket(undefined, false)
  const first = market.run('first')
  await market.called
  const rest = Promise.all(Array.from({ length: 101 }, (_, index) => market.run(String(index))))
  await turns(1)
  market.open()
  await Promise.all([first, rest])

  t.strictSame(market.calls.map(({ writes }) => writes.length), [1, 100, 1])
})

t.test('a write that waits for an earlier one or for a limit waits alone, and is not tried by itself', async t => {
  for (const code of [AdapterErrorCode.writeUnderWay, AdapterErrorCode.rateLimited]) {
    const error = { code, message: 'later', retryAfterMs: 2_500 }
    const market = createMarket(externalId => externalId === 'open' ? { applied: [], error } : {})
    const [fine, open] = await Promise.allSettled(['fine', 'open'].map(externalId => market.run(externalId)))

    t.match(fine, { value: done })
    t.match(open, { reason: error })
    t.strictSame(market.written(), [['updateOfferQuantities', 'fine open']])
  }
})

t.test('a repeated error belongs to one job alone, and a write without an answer is made again', async t => {
  const code = AdapterErrorCode.notFound
  const answers: Record<string, object | undefined> = {
    fine: {},
    gone: { error: { code, message: 'no such offer' } },
    strange: { error: { code: 'SHRUG', message: 'who knows' } }
  }
  const market = createMarket(externalId => answers[externalId], true, () => {
    throw new NotFoundError('no such offer')
  })
  const [fine, ...others] = await Promise
    .allSettled(['fine', 'gone', 'strange', 'absent'].map(externalId => market.run(externalId)))

  t.match(fine, { value: done })
  t.match(others, [
    { reason: { code, message: 'no such offer' } },
    { reason: { code: AdapterErrorCode.transient, message: /who knows \(SHRUG\)/ } },
    { reason: { code: AdapterErrorCode.transient, message: /'absent'/ } }
  ])
  t.strictSame(market.written(), [['updateOfferQuantities', 'fine gone strange absent'], [
    'updateOfferQuantity',
    'gone'
  ]])
})

t.test('a refusal of the credentials inside an answer names the credentials of the call', async t => {
  const refused = { error: { code: AdapterErrorCode.authentication, message: 'who are you' } }
  const market = createMarket(externalId => externalId === 'fine' ? {} : refused)

  t.match(await Promise.allSettled(['fine', 'refused'].map(externalId => market.run(externalId))), [
    { value: done },
    { reason: { code: AdapterErrorCode.authentication, message: 'who are you', ...used } }
  ])
})

t.test('a quantity that was refused because of another one is accepted alone', async t => {
  const refused: Record<string, object> = {
    innocent: { error: { code: AdapterErrorCode.rejected, message: 'the command was refused' } },
    guilty: { error: { code: AdapterErrorCode.rejected, message: 'the command was refused' } }
  }
  const market = createMarket(externalId => refused[externalId] ?? {}, true, externalId => {
    if (externalId === 'guilty') throw new RejectedError('it is blocked')
  })

  t.match(await Promise.allSettled(['innocent', 'guilty', 'fine'].map(externalId => market.run(externalId))), [
    { value: done },
    { reason: { message: 'it is blocked' } },
    { value: done }
  ])
})

t.test('a call that is refused as a whole is repeated for each by itself', async t => {
  const market = createMarket(externalId => {
    throw new RejectedError(`cannot read ${externalId}`)
  })

  t.strictSame(await Promise.all([market.run('a'), market.run('b')]), [done, done])
  t.strictSame(market.written(), [['updateOfferQuantities', 'a b'], ['updateOfferQuantity', 'a'], [
    'updateOfferQuantity',
    'b'
  ]])
})

t.test(
  'a job that is broken off leaves the call of the others alone; while it waits for its turn it is not written ' +
    'any more',
  async t => {
    const market = createMarket(undefined, false)
    const [during, before] = [new AbortController(), new AbortController()]
    const first = Promise.all([market.run('a', undefined, jobOf(during.signal)), market.run('b')])
    await market.called
    const waiting = Promise.allSettled([market.run('c', undefined, jobOf(before.signal)), market.run('d')])
    await turns(1)
    during.abort(new Error('broken off'))
    before.abort(new Error('broken off'))
    market.open()

    t.strictSame(await first, [done, done])
    t.match(await waiting, [{ reason: { message: 'broken off' } }, { value: done }])
    t.strictSame(market.written(), [['updateOfferQuantities', 'a b'], ['updateOfferQuantity', 'd']])
  }
)

t.test('an adapter that cannot write many writes one at a time', async t => {
  const market = createMarket()
  await Promise
    .all(['a', 'b'].map(externalId =>
      market.write(jobOf(), opened(['updateOfferQuantity']), 'OfferManager', { externalId, quantity: 1 })
    ))

  t.strictSame(market.written(), [['updateOfferQuantity', 'a'], ['updateOfferQuantity', 'b']])
})

t.test('a marketplace that takes commands', async t => {
  interface Change {
    externalId: string
    quantity: number
    commandId: string
  }
  const description: Pick<OpenConnection['adapter']['description'], 'capabilities'> = {
    capabilities: { Marketplace: ['updateOfferQuantity', 'updateOfferQuantities'] }
  }
  const market = {
    snapshot: { id: connectionId, version: '1' },
    adapter: { version: '1.0.0', description }
  } as OpenConnection

  /**
   * Makes the writes of this many jobs at once. With `refuse`, the marketplace refuses every call
   * for many offers as a whole.
   */
  async function writeAll (count: number, refuse = false) {
    const calls: { method: string, changes: Change[] }[] = []
    const { expect, write } = createStockWrites(async (_job, _opened, capability, method, ...args) => {
      t.equal(capability, 'Marketplace')
      const changes = [args[0]].flat() as Change[]
      calls.push({ method, changes })
      if (method === 'updateOfferQuantity') return { value: done, used }
      if (refuse) throw new RejectedError('one of them is wrong')
      return { value: changes.map(({ externalId }) => ({ externalId, ...done })), used }
    })
    const jobs = Array.from({ length: count }, () => jobOf())
    const arrivals = jobs.map(() => expect(connectionId))
    const results = await Promise.all(jobs.map((job, index) => {
      arrivals[index]?.()
      return write(job, market, 'Marketplace', { externalId: `offer-${index}`, quantity: index })
    }))
    return {
      calls,
      results,
      commands: jobs.map(({ id }, index) => ({ externalId: `offer-${index}`, quantity: index, commandId: id }))
    }
  }

  t.test('gets many changes by one call, each under the id of its job, a thousand at most', async t => {
    const { calls, commands, results } = await writeAll(1_001)

    t.strictSame(calls.map(({ method, changes }) => [method, changes.length]), [['updateOfferQuantities', 1_000], [
      'updateOfferQuantity',
      1
    ]])
    t.strictSame(calls.flatMap(({ changes }) => changes), commands)
    t.equal(results.length, 1_001)
  })

  t.test('gets the same ids again when the call was refused as a whole', async t => {
    const { calls, commands } = await writeAll(2, true)

    t.strictSame(calls, [
      { method: 'updateOfferQuantities', changes: commands },
      ...commands.map(change => ({ method: 'updateOfferQuantity', changes: [change] }))
    ])
  })
})
