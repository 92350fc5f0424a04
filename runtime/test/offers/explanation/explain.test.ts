import fc from 'fast-check'
import t from 'tap'
import { explainQuantity } from '../../../src/offers/explanation/explain.ts'
import type { LinkedFacts, UnlinkedFacts } from '../../../src/offers/explanation/facts.ts'
import { publishedQuantity } from '../../../src/stock/rules.ts'
import { at, checkedAt, dead, factsOf, id, jobOf, orderOf, pauseOf, waiting } from './facts.ts'

const unlinked: UnlinkedFacts = {
  kind: 'unlinked',
  checkedAt,
  offer: {
    id: id(11),
    connectionId: id(1),
    externalId: 'of`fer',
    status: 'ACTIVE',
    quantity: 4,
    seenAt: at('10:00'),
    releasedAt: null
  },
  connection: { id: id(1), name: 'Market' }
}
/** An offer whose last version was not written: it shows 5, the shop has 3. */
const toWrite = { stock: { quantity: 3, version: 4 } }
const verdictsOf = (facts: LinkedFacts): string[] => {
  const { verdict, contributing } = explainQuantity(facts)
  return [verdict, ...contributing.map(other => other.verdict)]
}

t.test('in-step: the marketplace shows what the shop has', async t => {
  const explained = explainQuantity(factsOf())

  t.strictSame(explained, {
    offerId: id(10),
    externalId: 'offer-1',
    variant: { id: id(20), name: 'Mug', sku: 'SKU-1', ean: null },
    connection: { id: id(1), name: 'Market' },
    verdict: 'in-step',
    sentence: "Offer shows 5, as it should: 'Market' showed the wanted quantity at 10:00 UTC.",
    contributing: [],
    chain: [
      { step: 'master', quantity: 5, at: at('08:58') },
      { step: 'after-reservations', quantity: 5, at: null },
      { step: 'after-limits', quantity: 5, at: null },
      { step: 'wanted', quantity: 5, at: at('08:59') },
      { step: 'written', quantity: 5, at: at('09:00') },
      { step: 'shown', quantity: 5, at: at('10:00') }
    ],
    price: null,
    evidence: { at: at('10:00'), connectionId: id(1) },
    nextAction: { sentence: 'There is nothing to do.', command: null, call: null },
    checkedAt
  })
})

t.test('a stock that the shop does not count is told, and nothing of it is held back', async t => {
  const shown = { quantity: 100, upstreamQuantity: 100, buffer: 3 }
  const explained = explainQuantity(factsOf({
    offer: shown,
    stock: { quantity: 100, isCounted: false, reserved: 2 },
    orders: [orderOf()]
  }))
  const limited = explainQuantity(factsOf({
    offer: { ...shown, quantity: 250, upstreamQuantity: 250, maxListed: 250 },
    stock: { quantity: 100, isCounted: false }
  }))

  t.equal(explained.verdict, 'in-step')
  t.strictSame(explained.contributing, [])
  t.match(explained.sentence, "shop 'My shop' does not count this stock, so the offer should always show 100")
  t.match(explained.chain, [
    { step: 'master', quantity: null, note: 'not counted' },
    { step: 'after-reservations', quantity: null },
    { step: 'after-limits', quantity: 100 },
    { step: 'wanted', quantity: 100 }
  ])
  t.match(limited.sentence, 'always show 250')
})

t.test('switched-off: the shop does not sell what it has, and the offer shows 0', async t => {
  const off = { stock: { quantity: 7, isSellable: false, reserved: 2 }, orders: [orderOf()] }
  const explained = explainQuantity(factsOf({ ...off, offer: { quantity: 0, upstreamQuantity: 0 } }))

  t.equal(explained.verdict, 'switched-off')
  t.match(explained.sentence, "shop 'My shop' has switched the product off or takes no orders for it, so its 7 pieces")
  t.match(explained.chain, [
    { step: 'master', quantity: 7 },
    { step: 'after-reservations', quantity: 5 },
    { step: 'after-limits', quantity: 5 },
    { step: 'wanted', quantity: 0, note: "switched off in shop 'My shop'" }
  ])
  t.notOk(verdictsOf(factsOf({ ...off, offer: { quantity: 5, upstreamQuantity: 5, sellsInactive: true } }))
    .includes('switched-off'))
})

t.test('the price of an offer is compared with those of the shop', async t => {
  const money = (amount: string, currency = 'PLN') => ({ amount, currency })
  const promoted = { price: money('80.00'), regularPrice: money('100.00') }
  const explained = (offer: string, variant: object, currency = 'PLN') => {
    const facts = factsOf({ offer: { price: money(offer, currency) } })
    return explainQuantity({ ...facts, variant: { ...facts.variant, ...variant } }).price
  }

  t.match(explained('80.00', promoted), {
    basis: 'price',
    sentence: "The offer has 80.00 PLN, as shop 'My shop' with its promotion; without it the price is 100.00 PLN."
  })
  t.match(explained('100.0', promoted), {
    basis: 'regularPrice',
    sentence:
      "The offer has 100.0 PLN, the shop's price without its promotion; shop 'My shop' sells at 80.00 PLN today."
  })
  t.match(explained('90.00', promoted), { basis: 'other', sentence: /sells at 80\.00 PLN today, without.*100\.00 PLN/ })
  t.match(explained('80.00', { price: money('80.00') }), {
    basis: 'price',
    sentence: /80\.00 PLN, as shop 'My shop'\.$/
  })
  t.match(explained('80.00', promoted, 'EUR'), { basis: 'other' }, 'another currency is another price')
  t.match(explained('80.00', {}), { basis: 'other', sentence: /tells no price/ })
})

t.test('a variant that is gone from a shop that did not count it is not said to be endless', async t => {
  const { sentence, chain } = explainQuantity(factsOf({
    offer: { quantity: 0, upstreamQuantity: 0 },
    stock: { quantity: 0, isCounted: false },
    missingSince: at('08:00')
  }))

  t.notMatch(sentence, 'does not count')
  t.match(chain, [{ step: 'master', quantity: 0 }, { step: 'after-reservations', quantity: 0 }])
})

t.test('a stock that other variants sell from is told, with the orders of all of them', async t => {
  const { sentence, chain } = explainQuantity(factsOf({
    offer: { quantity: 3, upstreamQuantity: 3 },
    stock: { reserved: 2, sharedWith: 2 },
    orders: [orderOf()]
  }))

  t.match(sentence, /2 other variants sell from the same stock; 2 pieces are reserved by order '8812'/)
  t.match(chain, [{ step: 'master', quantity: 5, note: 'shared with 2 other variants' }])
})

t.test('the example of the design: reserved pieces, and a write that waits for the marketplace', async t => {
  const explained = explainQuantity(factsOf({
    stock: { reserved: 2, version: 4 },
    orders: [orderOf()],
    more: { writeJob: waiting({ reason: 'rate-limit', detail: 'slow down', until: at('12:07') }) }
  }))

  t.equal(
    explained.sentence,
    "Offer shows 5, should show 3: 2 pieces are reserved by order '8812' (first read at 10:02 UTC); the write waits " +
      `for 'Market', which asked for rest until 12:07 UTC (job ${id(50)}).`
  )
  t.match(explained, {
    verdict: 'write-waiting',
    evidence: { jobId: id(50), at: at('11:30'), until: at('12:07') },
    nextAction: { command: `linker connections diagnose ${id(1)}` },
    contributing: [{
      verdict: 'reserved',
      sentence: "2 pieces are reserved by order '8812' (first read at 10:02 UTC).",
      evidence: { at: at('10:02'), orders: [{ id: id(60), quantity: 2 }] },
      nextAction: { command: `linker orders show ${id(60)}` }
    }]
  })
  t.strictSame(explained.chain.map(({ step, quantity }) => [step, quantity]), [
    ['master', 5],
    ['after-reservations', 3],
    ['after-limits', 3],
    ['wanted', 3],
    ['written', 5],
    ['shown', 5]
  ])
})

t.test('not-linked: an offer of no variant, one that an operator unlinked, and one that has ended', async t => {
  t.match(explainQuantity(unlinked), {
    verdict: 'not-linked',
    variant: null,
    sentence: "Offer 'of`fer' shows 4 (seen at 10:00 UTC): it is linked to no variant, so it follows no stock.",
    chain: [{ step: 'shown', quantity: 4 }],
    // A shell must not run what a marketplace calls its offer.
    nextAction: { command: /--offer 'of`fer'$/ }
  })
  t.match(explainQuantity({ ...unlinked, offer: { ...unlinked.offer, releasedAt: at('11:00'), quantity: null } }), {
    sentence: "Offer 'of`fer': an operator unlinked it at 11:00 UTC, so it follows no stock.",
    evidence: { at: at('11:00') }
  })
  const hidden = { ...unlinked.offer, status: null, seenAt: null, releasedAt: at('11:00') }
  t.match(explainQuantity({ ...unlinked, offer: hidden }), {
    sentence:
      "'Market' does not show offer 'of`fer' any more, and an operator unlinked it at 11:00 UTC, so it follows " +
      'no stock.',
    chain: [{ step: 'shown', quantity: null, at: null, note: 'the marketplace does not show it any more' }]
  })
  const problems = [{ code: 'unknown-at-marketplace' as const, detail: 'gone' }]
  const ended = explainQuantity(factsOf({ ...toWrite, offer: { status: 'ENDED', problems } }))
  t.match(ended, { verdict: 'not-linked', sentence: /^Offer shows 5: it has ended: gone \(last seen at 10:00 UTC\)/ })
  t.strictSame(ended.contributing, [])
})

t.test('master-not-read: the stock was never read', async t => {
  t.match(explainQuantity(factsOf({ stock: null, offer: { upstreamQuantity: 4 } })), {
    verdict: 'master-not-read',
    sentence: "Offer shows 4, and nobody knows what it should show: shop 'My shop' has not told its stock yet.",
    chain: [{ step: 'master', quantity: null, note: 'never read' }],
    evidence: { at: null },
    nextAction: { command: `linker stock reconcile --connection ${id(2)}` }
  })
  t.match(explainQuantity(factsOf({ stock: null, offer: { upstreamQuantity: null, quantity: null } })), {
    sentence: /^Nobody knows what the offer should show: /
  })
})

t.test('master-not-read: the shop cannot be read, and says why', async t => {
  const cases: [Parameters<typeof factsOf>[0], RegExp, string | null][] = [
    [{ shopConnection: { status: 'disabled' } }, /shop 'My shop' is disabled; meanwhile/, 'connections enable .*$'],
    [
      { shopConnection: { status: 'disabled', statusReason: 'sold' } },
      /shop 'My shop' is disabled: sold; meanwhile/,
      'connections enable .*$'
    ],
    [
      { shopConnection: { status: 'error', statusReason: '401' } },
      /shop 'My shop' is in error: 401;/,
      'connections test'
    ],
    [{ shopConnection: { adapterProblem: 'No adapter' } }, /'My shop' has no adapter: No adapter/, '^linker adapters$'],
    [
      { shopConnection: { pause: pauseOf('InventoryMaster', at('14:00'), 'recount') } },
      /capability 'InventoryMaster' of shop 'My shop' is paused by ada since 11:00 UTC until 14:00 UTC: recount;/,
      `resume ${id(2)} --capability InventoryMaster$`
    ],
    [
      { shopConnection: { pause: pauseOf(null, null) } },
      /shop 'My shop' is paused by ada since 11:00 UTC until somebody resumes it;/,
      `resume ${id(2)}$`
    ],
    [{ shop: { connection: null, deletedAt: at('11:00') } }, /shop 'My shop' was deleted at 11:00 UTC/, null]
  ]
  for (const [changes, sentence, command] of cases) {
    const explained = explainQuantity(factsOf(changes))
    t.match(explained, { verdict: 'master-not-read', sentence, evidence: { at: at('08:58'), connectionId: id(2) } })
    t.match(explained.sentence, /\(the stock was last read at 08:58 UTC\)\.$/)
    if (command === null) t.equal(explained.nextAction.command, null)
    else t.match(explained.nextAction.command, new RegExp(command))
  }
})

t.test('master-not-read: a reading failed or has not ended, unless a later one brought the quantity', async t => {
  const failed = explainQuantity(factsOf({
    more: { readingJob: dead('LNK_ADAPTER_REJECTED') },
    shop: { lastEvent: { at: at('11:29'), event: 'stock.changed' } }
  }))
  t.match(failed, {
    verdict: 'master-not-read',
    sentence:
      /job \S+, which should have read the stock of product '27', died at 11:31 UTC with LNK_ADAPTER_REJECTED: /,
    evidence: { jobId: id(50), code: 'LNK_ADAPTER_REJECTED', lastEventAt: at('11:29') },
    nextAction: { command: `linker jobs retry ${id(50)}` }
  })
  t.match(failed.sentence, /the last event of the shop \(stock.changed\) came at 11:29 UTC/)
  t.strictSame(
    verdictsOf(factsOf({
      stock: { readAt: at('11:40') },
      more: { readingJob: dead('LNK_ADAPTER_REJECTED') }
    })),
    ['in-step']
  )
  t.match(
    explainQuantity(factsOf({
      more: { readingJob: waiting({ reason: 'retry', detail: 'the shop is down', until: at('12:05') }) }
    })),
    {
      verdict: 'master-not-read',
      sentence:
        /a reading of product '27', asked for at 11:30 UTC, has not ended: job \S+ waits until 12:05 UTC, because /,
      evidence: { until: at('12:05') }
    }
  )
  const broken = waiting({ reason: 'circuit-breaker', detail: 'the shop failed', until: at('12:05') })
  t.match(explainQuantity(factsOf({ more: { readingJob: { ...broken, connectionId: id(2) } } })), {
    sentence: /has not ended: job \S+ waits until 12:05 UTC, because the shop failed/,
    nextAction: {
      sentence: 'Find out why the platform fails: the job goes on when it works again.',
      command: `linker connections diagnose ${id(2)}`
    }
  })
  t.match(explainQuantity(factsOf({ more: { readingJob: jobOf({ status: 'running', finishedAt: null }) } })), {
    verdict: 'master-not-read',
    sentence: /job \S+ runs now/
  })
  t.strictSame(verdictsOf(factsOf({ more: { readingJob: jobOf() } })), ['in-step'])
})

t.test('master-not-read: two sweeps of the schedule are missing', async t => {
  const sweep = (finishedAt: string) => ({
    id: id(70),
    status: 'complete' as const,
    missing: 0,
    startedAt: finishedAt,
    finishedAt
  })
  const swept = (finishedAt: string, every: number | null) => {
    const last = sweep(finishedAt)
    return factsOf({ shop: { sweepEveryMs: every, lastSweep: last, lastCompleteSweep: last } })
  }
  const quarter = 15 * 60_000

  t.match(explainQuantity(swept(at('10:30'), quarter)), {
    verdict: 'master-not-read',
    sentence:
      /was not swept in time.*\(the stock was last read at 10:30 UTC, the last complete sweep ended at 10:30 UTC\)/,
    evidence: { at: at('10:30'), sweepId: id(70), lastSweepAt: at('10:30') }
  })
  t.strictSame(verdictsOf(swept(at('11:10'), quarter)), ['in-step'], 'less than an hour is not late')
  t.strictSame(verdictsOf(swept(at('10:30'), 60 * 60_000)), ['in-step'], 'nor are two slots')
  t.strictSame(verdictsOf(swept(at('01:00'), null)), ['in-step'], 'without a schedule nothing is late')
  t.match(explainQuantity(swept(at('11:50'), quarter)).chain[0], { at: at('11:50') }, 'a sweep confirms the quantity')
  const later = factsOf({ shop: { lastCompleteSweep: sweep(at('11:50')) } })
  t.match(
    explainQuantity({ ...later, variant: { ...later.variant, createdAt: at('11:55') } }).chain[0],
    { at: at('08:58') },
    'but not of a variant that came later'
  )
})

t.test('sweep-held: only for stock that was not read since', async t => {
  const lastSweep = {
    id: id(70),
    status: 'held' as const,
    missing: 30,
    startedAt: at('11:00'),
    finishedAt: at('11:01')
  }
  t.match(explainQuantity(factsOf({ shop: { lastSweep } })), {
    verdict: 'sweep-held',
    sentence: /the last sweep of shop 'My shop' at 11:00 UTC is held: it missed 30 variants, and this one may be among/,
    evidence: { sweepId: id(70), at: at('11:01') },
    nextAction: { command: `linker stock reconcile --connection ${id(2)} --dry-run` },
    contributing: [{ verdict: 'in-step' }]
  })
  t.strictSame(verdictsOf(factsOf({ shop: { lastSweep }, stock: { readAt: at('11:00') } })), ['in-step'])
  // The last complete sweep is long ago: the schedule has swept, but the sweeps are held.
  const lastCompleteSweep = {
    ...lastSweep,
    status: 'complete' as const,
    startedAt: at('02:00'),
    finishedAt: at('02:01')
  }
  const every = { sweepEveryMs: 60 * 60_000, lastCompleteSweep }
  const read = { stock: { readAt: at('03:00') } }
  t.strictSame(verdictsOf(factsOf({ shop: { ...every, lastSweep }, ...read })), ['sweep-held', 'in-step'])
  const old = { ...lastSweep, startedAt: at('08:00'), finishedAt: at('08:01') }
  t.strictSame(
    verdictsOf(factsOf({ shop: { ...every, lastSweep: old }, ...read })),
    ['master-not-read', 'sweep-held', 'in-step'],
    'and sweeps stopped coming'
  )
  const none = { stock: { quantity: 0 }, offer: { quantity: 0, upstreamQuantity: 0 } }
  t.strictSame(verdictsOf(factsOf({ shop: { lastSweep }, ...none })), ['in-step'])
})

t.test('waits-for-confirmation: the stock jumped, and the offer keeps the old quantity', async t => {
  const stock = { quantity: 500, confirmedQuantity: 5, jumpedAt: at('09:30'), reserved: 2 }
  const explained = explainQuantity(factsOf({
    offer: { quantity: 3, upstreamQuantity: 3 },
    stock,
    orders: [orderOf()]
  }))

  t.match(explained, {
    verdict: 'waits-for-confirmation',
    sentence: /^Offer shows 3, as it should: the stock in shop 'My shop' jumped to 500 .*goes by 5 pieces until/,
    evidence: { at: at('09:30') },
    nextAction: { command: /^linker stock confirm /, call: { method: 'POST', path: '/stock/confirm' } },
    contributing: [{ verdict: 'reserved' }, { verdict: 'in-step' }],
    chain: [{ quantity: 500 }, { quantity: 3, note: 'of 5, until somebody confirms the jump, 2 pieces reserved' }]
  })
  t.equal(
    explainQuantity(factsOf({ stock: { ...stock, version: 4 }, more: { writeJob: dead('LNK_JOB_FAILED') } })).verdict,
    'write-dead',
    'a write that failed comes first'
  )
})

t.test('reserved: names the orders, and the pieces that no open order accounts for', async t => {
  const shows3 = { offer: { quantity: 3, upstreamQuantity: 3 }, stock: { reserved: 2 } }
  const sentenceFor = (orders: readonly ReturnType<typeof orderOf>[], reserved = 2): string =>
    explainQuantity(factsOf({
      offer: { quantity: 5 - reserved, upstreamQuantity: 5 - reserved },
      stock: { reserved },
      orders
    })).sentence

  t.match(explainQuantity(factsOf({ ...shows3, orders: [orderOf()] })), {
    verdict: 'reserved',
    sentence: "Offer shows 3, as it should: 2 pieces are reserved by order '8812' (first read at 10:02 UTC).",
    contributing: [{ verdict: 'in-step' }],
    chain: [{}, { quantity: 3, at: at('10:02'), note: '2 pieces reserved' }]
  })
  t.match(sentenceFor([orderOf({ quantity: 1 })], 1), /: 1 piece is reserved by order '8812'/)
  t.match(
    sentenceFor([orderOf({ quantity: 1, readAt: '2026-01-30T23:59:00.000Z' })], 1),
    /read at 2026-01-30 23:59 UTC/
  )
  const many = ['a', 'b', 'c', 'd'].map(externalId => orderOf({ externalId, quantity: 1 }))
  t.match(sentenceFor(many.slice(0, 2)), /by orders 'a' \(.*?\) and 'b' \(.*?\)\.$/)
  t.match(sentenceFor(many, 4), /by orders 'a' \(.*?\), 'b' \(.*?\), 'c' \(.*?\) and 1 more\.$/)
  t.match(sentenceFor([orderOf({ quantity: 1 })]), /; no open order accounts for 1 of them\.$/)
  t.match(explainQuantity(factsOf({ ...shows3 })), {
    verdict: 'reserved',
    sentence: /2 pieces are reserved, but no open order accounts for them/,
    nextAction: { command: `linker stock reconcile --connection ${id(1)}` }
  })
  t.match(explainQuantity(factsOf({ ...shows3, orders: [orderOf({ status: 'failed' })] })), {
    nextAction: { sentence: /failed.*`linker orders release`/, command: `linker orders retry ${id(60)}` }
  })
})

t.test('limited: by the buffer, by the largest listed quantity, by both, or by the request', async t => {
  const explain = (offer: object) => explainQuantity(factsOf({ offer }))

  t.match(explain({ buffer: 2, quantity: 3, upstreamQuantity: 3 }), {
    verdict: 'limited',
    sentence: 'Offer shows 3, as it should: the buffer keeps back 2 pieces.',
    nextAction: { command: `linker offers limit ${id(10)} --buffer 0` },
    chain: [{}, {}, { step: 'after-limits', quantity: 3, note: 'buffer 2' }]
  })
  t.match(explain({ maxListed: 4, quantity: 4, upstreamQuantity: 4 }), {
    verdict: 'limited',
    sentence: /: the offer lists 4 at most\.$/,
    nextAction: { command: `linker offers limit ${id(10)} --max-listed none` }
  })
  t.match(explain({ buffer: 1, maxListed: 2, quantity: 2, upstreamQuantity: 2 }), {
    sentence: /: the buffer keeps back 1 piece and the offer lists 2 at most\.$/,
    chain: [{}, {}, { note: 'buffer 1, at most 2' }]
  })
  t.match(explain({ buffer: 9, quantity: 0, upstreamQuantity: 0 }), { sentence: /shows 0, .* keeps back 5 pieces/ })
  t.equal(explain({ maxListed: 5 }).verdict, 'in-step', 'a limit that takes nothing away is no reason')
  t.match(explain({ quantity: 2, upstreamQuantity: 2 }), {
    verdict: 'limited',
    sentence:
      /^Offer shows 2, as it should: the request that created the offer at 08:00 UTC chose 2, which holds until/,
    contributing: [{ verdict: 'in-step' }]
  })
})

t.test('write-waiting: says what the job waits for, and who can help', async t => {
  const explain = (writeJob: LinkedFacts['writeJob']) => explainQuantity(factsOf({ ...toWrite, more: { writeJob } }))
  const reasons = [
    ['retry', /the write failed \(the detail\) and is tried again at 12:05 UTC/, `linker jobs show ${id(50)}`],
    [
      'object',
      /the write has not ended: job \S+ waits until 12:05 UTC, because the detail/,
      `linker jobs show ${id(50)}`
    ],
    [
      'rate-limit',
      /the write waits for 'Market', which asked for rest until 12:05 UTC/,
      `linker connections diagnose ${id(1)}`
    ],
    [
      'budget',
      /the write waits for its place in the budget of 'Market' until 12:05 UTC/,
      `linker connections upstream show ${id(1)}`
    ],
    [
      'circuit-breaker',
      /the write waits for 'Market', which failed; the hub tries again at 12:05 UTC/,
      `linker connections diagnose ${id(1)}`
    ],
    ['turn', /because the detail/, `linker jobs show ${id(50)}`],
    ['adapter', /because the detail/, 'linker adapters'],
    ['connection-paused', /because the detail/, `linker connections resume ${id(1)}`],
    ['connection-disabled', /because the detail/, `linker connections enable ${id(1)}`],
    ['connection-error', /because the detail/, `linker connections test ${id(1)}`],
    ['connection-held', /because the detail/, `linker connections diagnose ${id(1)}`],
    ['capability-paused', /because the detail/, `linker connections resume ${id(1)} --capability CAPABILITY`]
  ] as const
  for (const [reason, sentence, command] of reasons) {
    t.match(
      explain(waiting({ reason, detail: 'the detail', until: at('12:05') })),
      { verdict: 'write-waiting', sentence, evidence: { jobId: id(50), until: at('12:05') }, nextAction: { command } },
      reason
    )
  }
  const pausedJob = waiting({ reason: 'capability-paused', detail: 'the detail' })
  const paused = explainQuantity(factsOf({
    ...toWrite,
    market: { pause: pauseOf('OfferManager') },
    more: { writeJob: pausedJob }
  }))
  t.match(paused.contributing.find(({ verdict }) => verdict === 'write-waiting'), {
    nextAction: { command: `linker connections resume ${id(1)} --capability OfferManager` }
  })
  t.match(explain(jobOf({ status: 'running', finishedAt: null })), { sentence: /job \S+ runs now\.$/ })
  t.match(explain(null), {
    verdict: 'write-waiting',
    sentence: "Offer shows 5, should show 3: no job is about to write it; the next comparison of 'Market' makes one.",
    nextAction: { command: `linker stock reconcile --connection ${id(1)}` }
  })
  t.match(explain(jobOf()), { sentence: /no job is about to write it/ })
  const draft = {
    status: 'DRAFT' as const,
    quantity: null,
    upstreamQuantity: null,
    stockVersion: null,
    lastSyncedAt: null
  }
  t.match(explainQuantity(factsOf({ offer: draft, more: { writeJob: waiting({ reason: 'turn', detail: 'x' }) } })), {
    verdict: 'write-waiting',
    sentence: /^Offer should show 5 and was never written: /,
    chain: [{}, {}, {}, {}, { note: 'the marketplace does not have the offer' }]
  })
  t.match(explainQuantity(factsOf({ offer: draft })), {
    sentence: /the ledger has no job any more that creates the offer/
  })
})

t.test('write-dead: the job died or was cancelled', async t => {
  t.match(explainQuantity(factsOf({ ...toWrite, more: { writeJob: dead('LNK_ADAPTER_TRANSIENT', '503') } })), {
    verdict: 'write-dead',
    sentence: /should show 3: job \S+, which should write it, died at 11:31 UTC with LNK_ADAPTER_TRANSIENT: 503\.$/,
    evidence: { at: at('11:31'), jobId: id(50), code: 'LNK_ADAPTER_TRANSIENT' },
    nextAction: { command: `linker jobs retry ${id(50)}` }
  })
  const cancelled = jobOf({ status: 'cancelled', problem: { code: 'LNK_JOB_CANCELLED', message: 'by ada' } })
  t.match(explainQuantity(factsOf({ ...toWrite, more: { writeJob: cancelled } })), {
    verdict: 'write-dead',
    sentence: /was cancelled at 11:31 UTC with LNK_JOB_CANCELLED: by ada/
  })
  const failed = { status: 'FAILED' as const, quantity: null, upstreamQuantity: null, stockVersion: null }
  t.match(explainQuantity(factsOf({ offer: failed, more: { writeJob: dead('LNK_ADAPTER_TRANSIENT') } })), {
    verdict: 'write-dead',
    sentence: /which should create the offer, died/
  })
  const problems = [{ code: 'not-created' as const, detail: 'no picture' }]
  t.match(explainQuantity(factsOf({ offer: { ...failed, problems } })), {
    verdict: 'write-dead',
    sentence: /the offer was not created: no picture/
  })
})

t.test('write-refused: at once, or after the marketplace had taken the quantity or the offer', async t => {
  for (const code of ['LNK_ADAPTER_REJECTED', 'LNK_ADAPTER_NOT_FOUND']) {
    t.match(explainQuantity(factsOf({ ...toWrite, more: { writeJob: dead(code, 'too many') } })), {
      verdict: 'write-refused',
      sentence:
        new RegExp(`'Market' refused job \\S+, which should write it: it died at 11:31 UTC with ${code}: too many`),
      evidence: { jobId: id(50), code },
      nextAction: { command: `linker jobs retry ${id(50)}` }
    })
  }
  const refused = {
    quantity: null,
    stockVersion: null,
    upstreamQuantity: null,
    problems: [{ code: 'quantity-refused' as const, detail: 'the marketplace refused the quantity: too many' }]
  }
  t.match(explainQuantity(factsOf({ offer: refused, more: { writeJob: jobOf() } })), {
    verdict: 'write-refused',
    sentence: 'Offer should show 5 and its last quantity was refused: the marketplace refused the quantity: too many.',
    chain: [{}, {}, {}, {}, { at: at('09:00'), note: 'the marketplace refused the last one' }],
    evidence: { at: at('09:00'), jobId: id(50) },
    nextAction: { command: `linker offers refresh ${id(10)}` }
  })
  t.match(
    explainQuantity(factsOf({ offer: refused, more: { writeJob: waiting({ reason: 'turn', detail: 'x' }) } })),
    { verdict: 'write-waiting' },
    'a new job tries again'
  )
  const problems = [{ code: 'never-shown' as const, detail: 'the marketplace never showed it' }]
  t.match(
    explainQuantity(factsOf({ offer: { ...refused, status: 'FAILED', problems }, more: { writeJob: jobOf() } })),
    {
      verdict: 'write-refused',
      sentence: /never showed it/,
      nextAction: { command: null }
    }
  )
})

t.test('connection-error and connection-paused: while something is to be written or read', async t => {
  const error = { status: 'error', statusReason: 'key refused' } as const
  t.match(explainQuantity(factsOf({ ...toWrite, market: error })), {
    verdict: 'connection-error',
    sentence: "Offer shows 5, should show 3: connection 'Market' is in error: key refused.",
    evidence: { connectionId: id(1) },
    nextAction: { command: `linker connections test ${id(1)}` }
  })
  t.match(explainQuantity(factsOf({ ...toWrite, market: { status: 'disabled' } })), {
    verdict: 'connection-error',
    nextAction: { command: `linker connections enable ${id(1)}` }
  })
  t.match(explainQuantity(factsOf({ ...toWrite, market: { adapterProblem: 'No adapter x is installed' } })), {
    verdict: 'connection-error',
    sentence: /has no adapter: No adapter x is installed/
  })
  t.match(explainQuantity(factsOf({ ...toWrite, market: { pause: pauseOf(null, at('14:00'), 'sale') } })), {
    verdict: 'connection-paused',
    sentence: /: connection 'Market' is paused by ada since 11:00 UTC until 14:00 UTC: sale\.$/,
    evidence: { at: at('11:00'), until: at('14:00') },
    nextAction: { command: `linker connections resume ${id(1)}` }
  })
  t.match(explainQuantity(factsOf({ ...toWrite, market: { pause: pauseOf('OfferManager', null) } })), {
    sentence: /capability 'OfferManager' of connection 'Market' is paused/,
    nextAction: { sentence: 'Resume it.', command: /--capability OfferManager$/ }
  })
  const unread = { upstreamQuantity: null }
  t.equal(verdictsOf(factsOf({ offer: unread, market: error }))[0], 'connection-error', 'nobody can look')
})

t.test('frozen-by-seller: comes before everything that could go wrong with a write', async t => {
  const offer = { frozenFields: ['stock'], upstreamQuantity: 9, quantity: 5 }
  t.match(explainQuantity(factsOf({ offer, market: { status: 'error' } })), {
    verdict: 'frozen-by-seller',
    sentence:
      "Offer shows 9, should show 5: the seller froze the stock at 'Market' (last read at 10:00 UTC), so the hub " +
      'does not write it.',
    evidence: { at: at('10:00') },
    nextAction: { command: `linker offers refresh ${id(10)}` }
  })
  t.equal(verdictsOf(factsOf({ offer: { frozenFields: ['price'] } }))[0], 'in-step')
})

t.test('frozen-by-seller: tells the last reading, whatever it read, and never the last write', async t => {
  const frozen = (offer: object) => explainQuantity(factsOf({ offer: { frozenFields: ['stock'], ...offer } }))
  const written = { lastSyncedAt: at('11:55') }

  t.match(frozen({ ...written, upstreamReadAt: at('11:50'), seenAt: at('11:53') }), {
    sentence: / \(last read at 11:53 UTC\), so/,
    evidence: { at: at('11:53') }
  })
  t.match(frozen({ ...written, upstreamReadAt: at('11:53'), seenAt: at('11:50') }), { evidence: { at: at('11:53') } })
  t.match(frozen({ ...written, upstreamReadAt: null, seenAt: at('11:53') }), { evidence: { at: at('11:53') } })
  t.match(frozen({ ...written, upstreamReadAt: null, seenAt: null }), {
    sentence: / froze the stock at 'Market', so/,
    evidence: { at: null }
  })
})

t.test('within-lag and shown-not-read: the write is done, but not seen', async t => {
  const written = (lastSyncedAt: string) => factsOf({ offer: { lastSyncedAt, upstreamQuantity: null } })

  t.match(explainQuantity(written(at('11:50'))), {
    verdict: 'within-lag',
    sentence: 'Offer should show 5: the hub wrote 5 at 11:50 UTC, and ' +
      "'Market' may still show the old quantity until 12:15 UTC.",
    evidence: { at: at('11:50'), until: at('12:15') },
    chain: [{}, {}, {}, {}, {}, { quantity: null, at: null, note: 'not read since the write' }]
  })
  t.match(explainQuantity(written(at('11:35'))), {
    verdict: 'shown-not-read',
    sentence: /the hub wrote 5 at 11:35 UTC, and 'Market' was not read since\.$/,
    nextAction: { command: `linker offers refresh ${id(10)}` }
  })
  t.equal(explainQuantity({ ...written(at('11:50')), visibleAfterMs: 0 }).verdict, 'shown-not-read')
})

t.test('within the lag a reading counts: as in step, as changed, or as one that may be older', async t => {
  const read = (offer: Partial<LinkedFacts['offer']>, lastSyncedAt = at('11:50')) =>
    explainQuantity(factsOf({
      offer: { lastSyncedAt, upstreamQuantity: null, upstreamReadAt: null, ...offer }
    }))
  const older = { lagQuantity: 22, lagReadAt: at('11:53') }

  t.match(read({ upstreamQuantity: 5, upstreamReadAt: at('11:53') }), {
    verdict: 'in-step',
    sentence: "Offer shows 5, as it should: 'Market' showed the wanted quantity at 11:53 UTC."
  })
  t.match(read({ upstreamQuantity: 99, upstreamReadAt: at('11:53') }), {
    verdict: 'changed-there',
    sentence: "Offer shows 99, should show 5: 'Market' showed 99 at 11:53 UTC, not the 5 that the hub wrote at 11:50 " +
      'UTC: somebody changed it there.',
    evidence: { at: at('11:53'), until: at('12:15') },
    nextAction: {
      sentence: 'Find out who else writes the stock there. The hub writes the offer again after 12:15 UTC; ' +
        'let it read it then.'
    },
    chain: [{}, {}, {}, {}, {}, { quantity: 99, at: at('11:53') }]
  })
  t.match(read(older), {
    verdict: 'within-lag',
    sentence: "Offer should show 5: the hub wrote 5 at 11:50 UTC, and 'Market' may still show the old quantity until " +
      '12:15 UTC (read at 11:53 UTC: 22, which may be from before the write).',
    chain: [{}, {}, {}, {}, {}, {
      quantity: null,
      note: 'read at 11:53 UTC: 22, which may be from before the write'
    }]
  })
  t.match(read(older, at('11:30')), {
    verdict: 'shown-not-read',
    sentence:
      "Offer should show 5: the hub wrote 5 at 11:30 UTC, and since then 'Market' was read only within its lag " +
      '(read at 11:53 UTC: 22, which may be from before the write).'
  })
})

t.test('changed-there: only fewer pieces may have been sold', async t => {
  const whoChanged = (upstreamQuantity: number) => explainQuantity(factsOf({ offer: { upstreamQuantity } })).sentence

  t.match(whoChanged(6), /: somebody changed it there\.$/)
  t.match(whoChanged(4), /: somebody changed it there, or pieces were sold\.$/)
})

t.test('changed-there: the waiting write is the repair, but a dead one is what stops it', async t => {
  const changed = { offer: { upstreamQuantity: 20, linkVersion: 1 } }
  const job = waiting({ reason: 'rate-limit', detail: 'x', until: at('12:05') })
  const explained = explainQuantity(factsOf({ ...changed, more: { writeJob: job } }))

  t.match(explained, {
    verdict: 'changed-there',
    sentence: "Offer shows 20, should show 5: 'Market' showed 20 at 10:00 UTC, not the 5 that the hub wrote at 09:00 " +
      'UTC: somebody changed it there.',
    evidence: { at: at('10:00') },
    contributing: [{ verdict: 'write-waiting', evidence: { jobId: id(50) } }]
  })
  t.strictSame(verdictsOf(factsOf({ ...changed, more: { writeJob: dead('LNK_ADAPTER_TRANSIENT') } })), [
    'write-dead',
    'changed-there'
  ])
})

t.test('changed-there: the hub has written over it, until somebody reads the offer', async t => {
  const replaced = { shown: 20, written: 6, readAt: at('11:40') }
  const repaired = (changes: Parameters<typeof factsOf>[0] = {}) =>
    factsOf({
      ...changes,
      offer: { upstreamQuantity: null, lastSyncedAt: at('11:41'), ...changes.offer },
      more: { replaced, writtenJobId: id(51), ...changes.more }
    })

  t.match(explainQuantity(repaired()), {
    verdict: 'changed-there',
    sentence: "Offer should show 5: 'Market' showed 20 at 11:40 UTC, not the 6 that the hub had written: somebody " +
      "changed it there; the hub wrote 5 at 11:41 UTC, which 'Market' shows by 12:06 UTC.",
    evidence: { at: at('11:40'), connectionId: id(1), jobId: id(51), until: at('12:06') },
    contributing: [{ verdict: 'within-lag' }],
    nextAction: { command: `linker offers refresh ${id(10)}` }
  })
  t.match(explainQuantity(repaired({ more: { visibleAfterMs: 0 } })), {
    verdict: 'changed-there',
    sentence: /; the hub wrote 5 at 11:41 UTC\.$/,
    contributing: [{ verdict: 'shown-not-read' }]
  })
  t.strictSame(verdictsOf(repaired({ offer: { upstreamQuantity: 5 } })), ['in-step'])
  t.strictSame(
    verdictsOf(repaired({ ...toWrite, more: { writeJob: waiting({ reason: 'retry', detail: 'x' }) } })),
    ['write-waiting', 'changed-there', 'within-lag'],
    'the next write is what the operator waits for'
  )
})

t.test('the order of the verdicts: the one to act on comes first', async t => {
  const sweep = { id: id(70), status: 'held' as const, missing: 30, startedAt: at('11:00'), finishedAt: at('11:01') }
  const everything = factsOf({
    offer: { buffer: 1, upstreamQuantity: 20, frozenFields: [] },
    stock: { reserved: 1, version: 4 },
    orders: [orderOf({ quantity: 1 })],
    market: { status: 'error', pause: pauseOf(null) },
    shopConnection: { status: 'disabled' },
    shop: { lastSweep: sweep },
    more: { writeJob: waiting({ reason: 'connection-error', detail: 'x' }) }
  })

  t.strictSame(verdictsOf(everything), [
    'connection-error',
    'connection-paused',
    'changed-there',
    'write-waiting',
    'master-not-read',
    'sweep-held',
    'reserved',
    'limited'
  ])
  t.strictSame(verdictsOf({ ...everything, offer: { ...everything.offer, frozenFields: ['stock'] } }).slice(0, 2), [
    'frozen-by-seller',
    'connection-error'
  ])
  t.strictSame(verdictsOf({ ...everything, stock: null }).slice(0, 2), ['master-not-read', 'connection-error'])
  t.strictSame(
    verdictsOf({ ...everything, connection: factsOf().connection, writeJob: dead('LNK_ADAPTER_REJECTED') }).slice(0, 2),
    ['write-refused', 'changed-there']
  )
  t.strictSame(
    verdictsOf(factsOf({ market: { status: 'disabled', pause: pauseOf(null) } })),
    ['in-step', 'connection-error', 'connection-paused'],
    'a stopped connection comes last while everything is written and seen'
  )
})

t.test('a shop that is not read comes before a lag that ends by itself', async t => {
  const written = { offer: { lastSyncedAt: at('11:50'), upstreamQuantity: null } }
  const stops = [
    { pause: pauseOf(null, null) },
    { status: 'disabled' as const },
    { status: 'error' as const },
    { adapterProblem: 'No adapter' }
  ]
  for (const shopConnection of stops) {
    t.strictSame(verdictsOf(factsOf({ ...written, shopConnection })), ['master-not-read', 'within-lag'])
  }
  const unread = factsOf({ ...written, more: { readingJob: dead('LNK_ADAPTER_REJECTED') } })
  t.strictSame(verdictsOf(unread), ['master-not-read', 'within-lag'])
  t.strictSame(verdictsOf({ ...unread, visibleAfterMs: 0 }), ['master-not-read', 'shown-not-read'])
  const held = { id: id(70), status: 'held' as const, missing: 30, startedAt: at('11:00'), finishedAt: at('11:01') }
  t.strictSame(verdictsOf(factsOf({ ...written, shop: { lastSweep: held } })), ['sweep-held', 'within-lag'])
})

t.test('a stopped shop comes before a write only when the write waits for it', async t => {
  const shopConnection = { pause: pauseOf(null, null) }
  const verdictsWith = (connectionId: string) =>
    verdictsOf(factsOf({
      ...toWrite,
      shopConnection,
      more: { writeJob: { ...waiting({ reason: 'connection-paused', detail: 'x' }), connectionId } }
    }))

  t.strictSame(verdictsWith(id(2)), ['master-not-read', 'write-waiting'])
  t.strictSame(verdictsWith(id(1)), ['write-waiting', 'master-not-read'])
})

t.test('the chain says what an operator would ask next', async t => {
  const { chain } = explainQuantity(factsOf({
    offer: { status: 'INACTIVE', upstreamQuantity: null },
    stock: { quantity: 0, version: 4 },
    missingSince: at('11:20'),
    more: { writtenJobId: id(51) }
  }))

  t.match(chain, [
    { note: "shop 'My shop' does not list the variant since 11:20 UTC" },
    {},
    {},
    { step: 'wanted', quantity: 0 },
    { step: 'written', jobId: id(51), note: 'an earlier version of the stock or of the limits' },
    { note: 'not read since the write; the marketplace does not sell it now: INACTIVE' }
  ])
})

t.test('every state of an offer has a verdict, and in-step is never a lie', async t => {
  const quantity = fc.option(fc.nat(6))
  const version = fc.option(fc.nat(2))
  const states = fc.record({
    offer: fc.record({
      status: fc.constantFrom(
        'DRAFT' as const,
        'ACTIVE' as const,
        'INACTIVE' as const,
        'ENDED' as const,
        'FAILED' as const
      ),
      quantity,
      upstreamQuantity: quantity,
      stockVersion: version,
      sentLinkVersion: version,
      linkVersion: fc.nat(2),
      buffer: fc.nat(2),
      maxListed: fc.option(fc.nat(4)),
      frozenFields: fc.constantFrom([], ['stock']),
      createdUpstreamAt: fc.option(fc.constant(at('07:00'))),
      lastSyncedAt: fc.option(fc.constantFrom(at('09:00'), at('11:59')))
    }),
    stock: fc.option(fc.record({ quantity: fc.integer({ min: -2, max: 6 }), reserved: fc.nat(3), version: fc.nat(2) })),
    writeJob: fc.option(fc.constantFrom(jobOf(), dead('LNK_JOB_FAILED'), jobOf({ status: 'running' })))
  })

  t.doesNotThrow(() =>
    fc.assert(
      fc.property(states, ({ offer, stock, writeJob }) => {
        const facts = factsOf({ offer, stock, more: { writeJob } })
        const { verdict, contributing, sentence, chain } = explainQuantity(facts)
        const all = [verdict, ...contributing.map(other => other.verdict)]
        const isInStep = all.includes('in-step')
        const isShown = facts.stock !== null && (offer.upstreamQuantity === offer.quantity ||
          offer.upstreamQuantity === publishedQuantity(facts.stock, facts.offer))
        return new Set(all).size === all.length && sentence.endsWith('.') && chain.length === 6 &&
          !sentence.includes('null') && (!isInStep || isShown)
      }),
      { numRuns: 2_000 }
    )
  )
})
