import { AdapterErrorCode, verifyWebhook } from '@linker/sdk'
import t from 'tap'
import { orderReferenceOf } from '../../../src/orders/creation/order-reference.ts'
import { newOrder, openFakeShop, type Reply } from '../fake-shop.ts'

const secret = 'module-secret-0123456789'
const secretRow: Reply = [200, { configurations: [{ id: 3, name: 'LINKER_WEBHOOK_SECRET', value: secret }] }]
const answers = {
  'POST cartshipping': [200, { ok: true, id_cart: 9 }] as Reply,
  'POST importorder': [200, { ok: true, id_order: 5, reference: 'XKBKNABJK', already_existed: false }] as Reply,
  'GET orders': [200, {
    orders: [{ id: 5, id_cart: '9', id_carrier: '2', current_state: '2', total_paid_tax_incl: '119.99' }]
  }] as Reply
}

t.test('signed calls give the module the shipping costs of the cart and import the order in its state', async t => {
  const { orders, sent, requests } = openFakeShop(t, { config: { orderPath: 'module' }, moduleSecret: secret, answers })

  t.same(await orders.createOrder(newOrder(), { reference: 'order-1' }), { externalId: '5' })

  const [shipping, order] = ['cartshipping', 'importorder'].map(path => sent.find(request => request.path === path))
  t.same(JSON.parse(shipping?.body ?? ''), {
    id_cart: 9,
    amount_tax_excl: 16.252033,
    amount_tax_incl: 19.99,
    source: 'mkta'
  })
  t.same(JSON.parse(order?.body ?? ''), {
    id_cart: 9,
    id_order_state: 2,
    amount_paid: 119.99,
    payment_method: 'Marketplace',
    order_reference: orderReferenceOf('order-1')
  })
  t.same([order?.query.get('fc'), order?.query.get('module')], ['module', 'linker'])
  t.ok(verifyWebhook(
    secret,
    order?.headers.get('x-linker-timestamp') ?? '',
    order?.body ?? '',
    order?.headers.get('x-linker-signature') ?? ''
  ))
  t.notOk(requests().some(request => ['POST orders', 'POST order_histories', 'GET configurations'].includes(request)))
})

t.test('without config the secret of the installed webhooks signs the calls of the module', async t => {
  const { orders, sent } = openFakeShop(t, {
    config: { orderPath: 'module' },
    answers: { ...answers, 'GET configurations': secretRow }
  })

  await orders.createOrder(newOrder(), { reference: 'order-1' })

  const order = sent.find(request => request.path === 'importorder')
  t.ok(verifyWebhook(
    secret,
    order?.headers.get('x-linker-timestamp') ?? '',
    order?.body ?? '',
    order?.headers.get('x-linker-signature') ?? ''
  ))
})

t.test('without installed webhooks the module makes no order', async t => {
  const { orders, requests } = openFakeShop(t, {
    config: { orderPath: 'module' },
    answers: { 'GET configurations': [200, []] }
  })

  await t.rejects(orders.createOrder(newOrder(), { reference: 'order-1' }), {
    code: AdapterErrorCode.configuration,
    message: /^Webhook secret not found/
  })
  t.same(requests(), ['GET configurations'])
})

t.test('by default the module makes orders when webhooks are installed', async t => {
  const { orders, requests } = openFakeShop(t, { answers: { ...answers, 'GET configurations': secretRow } })

  await orders.createOrder(newOrder(), { reference: 'order-1' })

  t.ok(requests().includes('POST importorder'))
  t.notOk(requests().includes('POST orders'))
})

t.test('by default the module makes orders when credentials.moduleSecret is set', async t => {
  const { orders, requests } = openFakeShop(t, { moduleSecret: secret, answers })

  await orders.createOrder(newOrder(), { reference: 'order-1' })

  t.ok(requests().includes('POST importorder'))
  t.notOk(requests().includes('GET configurations'))
})

t.test('the webservice makes orders without installed webhooks, or when the config says so', async t => {
  for (const options of [{}, { config: { orderPath: 'webservice' as const }, moduleSecret: secret }]) {
    const { orders, requests } = openFakeShop(t, options)
    t.same(await orders.createOrder(newOrder(), { reference: 'order-1' }), { externalId: '5' })
    t.ok(requests().includes('POST orders'))
  }
})

t.test('no permission to read the webhook secret gives a warning, and a failed read makes no order', async t => {
  const { orders, table, requests, logs } = openFakeShop(t, { answers: { 'GET configurations': [500, ''] } })
  await t.rejects(orders.createOrder(newOrder(), { reference: 'order-1' }), { code: AdapterErrorCode.transient })
  t.notOk(requests().includes('POST carts'))

  table['GET configurations'] = [401, { errors: [{ code: 26, message: 'not allowed' }] }]
  t.same(await orders.createOrder(newOrder(), { reference: 'order-1' }), { externalId: '5' })
  t.match(logs, [{ level: 'warn', message: /orderPath/ }])
})

const { configuration, outcomeUnknown, rejected, transient } = AdapterErrorCode
const outOfWindow = { error: 'timestamp-out-of-window' }
const late = { date: 'Thu, 02 Jan 2025 11:50:00 GMT' }
const invalidOrder = { error: 'validate-order-failed', detail: 'Carrier not found' }
const failures: Array<[reply: Reply, code: string, message: RegExp]> = [
  [[401, { error: 'invalid-signature' }], configuration, /invalid-signature.*install the webhooks again/],
  [[401, { error: 'misconfigured' }], configuration, /misconfigured.*install the webhooks again/],
  [[401, { error: 'missing-headers' }], configuration, /missing-headers.*changes headers/],
  [[401, '<html>'], configuration, /HTTP 401.*asks for a password/],
  [[401, outOfWindow, late], transient, /clocks of hub and shop differ by 600 seconds/],
  [[401, outOfWindow], transient, /clocks of hub and shop differ by minutes/],
  [[422, { error: 'payment-module-unavailable' }], rejected, /payment-module-unavailable/],
  [[404, '<html>'], configuration, /moduleName/],
  [[502, invalidOrder], outcomeUnknown, /validate-order-failed: Carrier not found/],
  [[200, '<html>'], outcomeUnknown, /importorder/]
]
t.test('a refusal of the module says what to do, and an open outcome is an unknown one', async t => {
  for (const [reply, code, message] of failures) {
    const error = { code, message }
    const { orders } = openFakeShop(t, {
      config: { orderPath: 'module' },
      moduleSecret: secret,
      answers: { ...answers, 'POST importorder': reply }
    })
    await t.rejects(orders.createOrder(newOrder(), { reference: 'order-1' }), error, String(reply[0]))
  }
})

const page = { 'retry-after': '3600', 'content-type': 'text/html; charset=utf-8' }
t.test('the maintenance page of the shop is told by its words, for the calls of the module only', async t => {
  for (const call of ['POST cartshipping', 'POST importorder']) {
    const { orders, table, requests } = openFakeShop(t, { moduleSecret: secret, answers })
    table[call] = [503, '<!doctype html><h1>We will be back soon.</h1>', page]

    await t.rejects(orders.createOrder(newOrder(), { reference: 'order-1' }), {
      code: AdapterErrorCode.unavailable,
      message: 'maintenance page, 503',
      status: 503,
      retryAfterMs: 60_000
    }, call)
    t.equal(requests().filter(request => request === call).length, 1, 'not repeated in the call')
  }
})

t.test('a 503 of something before the shop is no maintenance', async t => {
  for (
    const [headers, code] of [
      [{ 'content-type': 'text/html' }, transient],
      [{ 'content-type': 'application/json', 'retry-after': '3600' }, AdapterErrorCode.rateLimited]
    ] as const
  ) {
    const { orders } = openFakeShop(t, {
      moduleSecret: secret,
      answers: { ...answers, 'POST importorder': [503, '', headers] }
    })
    await t.rejects(orders.createOrder(newOrder(), { reference: 'order-1' }), { code })
  }
})

t.test('the calls of the module name their area, and those of the webservice none', async t => {
  const { orders, areas } = openFakeShop(t, { moduleSecret: secret, answers })

  await orders.createOrder(newOrder(), { reference: 'order-1' })

  t.strictSame(areas('/index.php'), ['module', 'module'])
  t.strictSame([...new Set(areas('/api/'))], [undefined])
})
