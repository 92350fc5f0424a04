import t from 'tap'
import {
  lateShipmentItems,
  orderItems,
  troubledOrderItems,
  unreadShopItems,
  untoldItems
} from '../../../src/attention/items/order-items.ts'
import {
  breakerItems,
  restItems,
  ignoredEventItems,
  refusedWebhookItems,
  silentWebhookItems,
  unreachedWebhookItems
} from '../../../src/attention/items/platform-items.ts'
import {
  heldSweepItems,
  lostOfferItems,
  oversellItems,
  refusedQuantityItems,
  sharedReferenceItems,
  stockJumpItems
} from '../../../src/attention/items/stock-items.ts'

const nowMs = Date.parse('2026-11-26T12:00:00.000Z')
const since = '2026-11-26T11:00:00.000Z'
const names = new Map([['c1', { id: 'c1', name: 'My market' }]])
const connectionId = 'c1'

t.test('orders that do not go on are items by their status', async t => {
  const items = orderItems([
    { connectionId, status: 'failed', count: 1, since },
    { connectionId, status: 'awaiting_mapping', count: 2, since },
    { connectionId, status: 'ready', count: 10_000, since },
    { connectionId: 'deleted', status: 'failed', count: 1, since }
  ], names)

  t.strictSame(items.map(({ kind, severity, title }) => [kind, severity, title]), [
    ['failed-orders', 'error', "'My market': 1 order failed"],
    ['unmapped-orders', 'error', "'My market': 2 orders without a variant"],
    ['stuck-orders', 'warning', "'My market': 10000 or more orders stuck"]
  ])
})

t.test('orders that go on with a problem are items by its code, which say what to do', async t => {
  const of = (code: string, count: number) => ({ connectionId, code: code as 'gone', count, since })
  const items = troubledOrderItems([of('missing-in-shop', 1), of('shop-reported', 2), of('of-tomorrow', 3)], names)

  t.match(items, [
    {
      key: 'troubled-orders:c1:missing-in-shop',
      severity: 'warning',
      title: "'My market': 1 order that the shop has no more",
      detail: /: look why .*`linker orders list --connection "My market" --problem missing-in-shop` names it;/,
      target: '/orders?connectionId=c1&problem=missing-in-shop'
    },
    { count: 2, title: "'My market': 2 orders that the shop took with a difference" },
    { title: "'My market': 3 orders with a problem" }
  ])
})

t.test('shipped orders that a setting keeps from the marketplace name the switch and both decisions', async t => {
  const untold = { connectionId, setting: 'orderWriteBack', count: 12, since }
  const items = (more = {}) => untoldItems([{ ...untold, ...more }, { ...untold, connectionId: 'deleted' }], names)

  t.match(items(), [{
    key: 'untold-shipments:c1:orderWriteBack',
    kind: 'untold-shipments',
    severity: 'warning',
    since,
    count: 12,
    title: "12 shipped orders were not told to 'My market'",
    detail: /`linker connections edit "My market" --config orderWriteBack=true`.*orderWriteBack=false`/
  }])
  t.equal(items().length, 1)
  t.match(items({ count: 1 }), [{ title: "1 shipped order was not told to 'My market'" }])
})

t.test('late orders name their promise and the oldest one, an unread shop says what to do', async t => {
  const late = { connectionId, hours: 48, count: 3, since, oldestExternalId: 'A-17' }

  t.match(lateShipmentItems([late, { ...late, connectionId: 'deleted' }], names), [{
    key: 'late-shipments:c1',
    since,
    count: 3,
    title: "'My market': 3 orders not shipped within 48 hours",
    detail: /the oldest is 'A-17'/,
    target: '/orders?connectionId=c1'
  }])
  t.match(unreadShopItems([{ connectionId, since }, { connectionId: 'deleted', since }], names), [{
    key: 'unread-shops:c1',
    severity: 'error',
    detail: /`linker connections diagnose "My market"`/
  }])
})

t.test('stock that jumped is an item of its shop, with both ways out', async t => {
  t.match(stockJumpItems([{ connectionId, count: 2, since }, { connectionId: 'deleted', count: 1, since }], names), [{
    key: 'stock-jumps:c1',
    count: 2,
    title: "The stock of 2 variants of 'My market' jumped",
    detail: /`linker stock --jumped --connection "My market"`.*`linker stock confirm`.*correction in the shop/,
    target: '/stock?connectionId=c1&jumped=true'
  }])
})

t.test('a held sweep, offers that oversell and refused quantities name their connection', async t => {
  t.match(heldSweepItems([{ id: 's1', connectionId, missing: 7, since }], names), [{ key: 'held-sweep:c1', count: 7 }])
  t.match(oversellItems([{ connectionId, count: 2, since: null }], names), [{ key: 'oversell:c1', severity: 'error' }])
  t.match(
    refusedQuantityItems(
      [{ connectionId, count: 2, since }, { connectionId: 'deleted', count: 1, since }],
      names
    ),
    [{
      key: 'refused-quantities:c1',
      severity: 'error',
      count: 2,
      title: "'My market' refused the quantity of 2 offers",
      target: '/offers?connectionId=c1&problem=quantity-refused'
    }]
  )
})

t.test('a breaker that stays open becomes an error', async t => {
  const open = (ms: number) =>
    breakerItems([{ connectionId, area: undefined, openedAt: nowMs - ms, failure: 'HTTP 503' }], names, nowMs)

  t.match(open(60_000), [{
    severity: 'warning',
    since: '2026-11-26T11:59:00.000Z',
    detail: /with HTTP 503\. .*`linker connections test "My market"`/
  }])
  t.match(open(1_000_000), [{ severity: 'error' }])
})

t.test('a long rest quotes the reason of the platform, and names the area that rests', async t => {
  const rest = {
    connectionId,
    area: 'module',
    since: nowMs - 180_000,
    until: nowMs + 60_000,
    reason: 'maintenance page, 503',
    isAway: true
  }

  t.match(restItems([rest, { ...rest, connectionId: 'deleted' }], names), [{
    key: 'platform-resting:c1:module',
    severity: 'warning',
    since: '2026-11-26T11:57:00.000Z',
    title: "The platform of 'My market' is away: maintenance page, 503",
    detail: /need the area 'module' of the platform wait; .* go on\. The hub tries again at 2026-11-26T12:01:00/
  }])
  t.match(restItems([{ ...rest, area: undefined, reason: 'GET /x answered 429', isAway: false }], names), [{
    key: 'platform-resting:c1',
    title: "The platform of 'My market' asked for a rest: GET /x answered 429",
    detail: /need the platform wait\. The hub/
  }])
})

t.test('a test event that did not arrive is a warning until a webhook comes', async t => {
  const failed = { pingedAt: since, pingProblem: 'connect ECONNREFUSED', installWarning: null, warnedAt: null }
  const items = (last?: string, more = {}) =>
    unreachedWebhookItems(
      [{ connectionId, ...failed, ...more }],
      new Map(last === undefined ? [] : [['c1', last]]),
      names
    )

  t.match(items(), [{
    key: 'unreached-webhooks:c1',
    severity: 'warning',
    since,
    detail: /arrive: connect ECONNREFUSED\./
  }])
  t.equal(items('2026-11-26T10:59:59.999Z').length, 1)
  t.strictSame(items('2026-11-26T11:00:00.500Z'), [])
  const warned = { pingProblem: null, installWarning: 'not received', warnedAt: '2026-11-26T11:00:01.000Z' }
  t.match(items('2026-11-26T11:00:00.500Z', warned), [{
    key: 'unreached-webhooks:c1',
    since: warned.warnedAt,
    detail: /warning: not received\./
  }])
  t.strictSame(items('2026-11-26T11:00:01.500Z', warned), [])
})

t.test('a platform that sends no webhooks any more is a warning', async t => {
  t.match(silentWebhookItems([{ connectionId, since: '2026-11-16T12:00:00.000Z' }], names, nowMs), [
    { severity: 'warning', detail: /10 days ago/ }
  ])
})

t.test('ignored events are one warning for each connection, with the types and the end for a replay', async t => {
  const events = (eventType: string, count: number, hour: number) => ({
    eventType,
    count,
    firstAt: `2026-11-26T0${hour}:00:00.000Z`,
    lastAt: since,
    lastDeliveryId: 'd1',
    replayableUntil: `2026-12-03T0${hour}:00:00.000Z`,
    isKnown: false,
    newVersion: null
  })
  const found = ['a.b', 'c.d', 'e.f', 'g.h'].map((type, index) => events(type, 3, 9 - index))

  t.match(ignoredEventItems(new Map([['c1', [...found, events('typing.error', 1, 1)]], ['deleted', found]]), names), [{
    key: 'ignored-events:c1',
    severity: 'warning',
    count: 12,
    since: '2026-11-26T06:00:00.000Z',
    title: "12 events of 'My market' started no job",
    detail: /'a\.b' \(3\), 'c\.d' \(3\), 'e\.f' \(3\) and 1 more type; .* until 2026-12-03T06:00:00\.000Z\. .*--dry-run/
  }])
  t.strictSame(ignoredEventItems(new Map([['c1', [events('typing.error', 1, 1)]]]), names), [])
})

t.test('refused webhooks are an item until one is accepted, unless the hub is to blame or nobody is', async t => {
  const refusal = {
    connectionId,
    code: 'LNK_SIGNATURE_MISMATCH',
    count: 3,
    firstAt: '2026-11-26T10:00:00.000Z',
    lastAt: '2026-11-26T11:30:00.000Z',
    lastDetail: 'another secret'
  }
  const items = (more = {}, accepted: string | undefined = undefined) =>
    refusedWebhookItems(
      [{ ...refusal, ...more }, { ...refusal, connectionId: 'deleted' }],
      new Map(accepted === undefined ? [] : [[connectionId, accepted]]),
      names
    )

  t.match(items(), [{
    key: 'refused-webhooks:c1:LNK_SIGNATURE_MISMATCH',
    severity: 'error',
    since: refusal.firstAt,
    count: 3,
    title: "The hub refuses the webhooks of 'My market'",
    detail:
      /were refused .*with the answer: another secret\. The sender uses another secret.*`linker deliveries refusals/
  }])
  t.match(items({}, '2026-11-26T09:00:00.000Z'), [{ count: 3, detail: /^3 webhooks of 'My market' were refused/ }])
  t.match(
    items({}, '2026-11-26T11:00:00.000Z'),
    [{ since: '2026-11-26T11:00:00.000Z', count: 1, detail: /^Webhooks of 'My market' were refused and none/ }],
    'nobody counted those since the last that was accepted'
  )
  t.strictSame(items({}, '2026-11-26T11:45:00.000Z'), [])
  for (const code of ['LNK_INTAKE_FULL', 'LNK_WEBHOOK_CONNECTION_NOT_FOUND', 'LNK_WEBHOOK_SECRET_MISSING']) {
    t.strictSame(items({ code }), [], code)
  }
  t.equal(items({ code: 'LNK_WEBHOOK_SECRET_MISSING' }, since).length, 1)
})

t.test('offers that lost their variant name the variants that may stand for it', async t => {
  const candidate = (name: string, matchedBy: 'sku' | 'ean') =>
    ({ variantId: 'v', name, sku: 'A', ean: null, matchedBy, certain: false, reason: 'several-variants' }) as const
  const samples = [
    { externalId: '17', title: 'Mug', candidates: [candidate('New mug', 'ean'), candidate('Cup', 'ean')] },
    { externalId: '18', title: null, candidates: [] }
  ]

  t.match(lostOfferItems([{ connectionId, count: 5, since, samples }], names), [{
    key: 'lost-offers:c1',
    severity: 'warning',
    since,
    count: 5,
    title: "5 offers of 'My market' lost their products in the shop",
    detail:
      /'Mug' \(17\) may be 'New mug' by its EAN or 1 other; '18' \(18\), for which .* no other variant; and others\./
  }])
  t.strictSame(lostOfferItems([{ connectionId: 'deleted', count: 1, since, samples }], names), [])
})

t.test('the references that several variants have are one item of a shop', async t => {
  const shared = (sku: string) => ({ connectionId, sku, count: 2, variantId: 'v1' })

  t.match(sharedReferenceItems(['A', 'B', 'C', 'D'].map(shared), names), [{
    key: 'shared-references:c1',
    severity: 'warning',
    count: 4,
    title: "4 references of 'My market' stand on several products",
    detail: /'A' \(2 variants\), 'B' \(2 variants\), 'C' \(2 variants\) and 1 more\./,
    target: '/variants/v1'
  }])
})
