import { checkAnswerSize, fits, type CallTarget } from '@linker/sdk/host'
import t from 'tap'

const listStock: CallTarget = { kind: 'capability', capability: 'InventoryMaster', method: 'listStock' }
const job: CallTarget = { kind: 'job', jobType: 'feed.stock.read' }
const listProducts: CallTarget = { kind: 'capability', capability: 'ProductMaster', method: 'listProducts' }
const items = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({ variantExternalId: String(index), quantity: 1 }))

t.test('size is counted as in JSON, and counting ends at the limit', async t => {
  t.ok(fits({ text: 'x'.repeat(900), list: [1, null, true] }, 1_000))
  t.notOk(fits({ text: 'x'.repeat(1_001) }, 1_000))
  t.notOk(fits(Buffer.alloc(1_001), 1_000))
  t.notOk(fits(new Map([['a', 'x'.repeat(1_001)]]), 1_000))
  t.notOk(fits(new Set(items(1_000)), 1_000))
  t.notOk(fits(new Error('x'.repeat(1_001)), 1_000))
  t.notOk(fits({ ['x'.repeat(1_001)]: 1 }, 1_000))
  const itself: unknown[] = []
  itself.push(itself, itself)
  t.notOk(fits(itself, 1_000_000), 'what contains itself')
  let doubled: unknown = 'x'
  for (let level = 0; level < 60; level += 1) doubled = [doubled, doubled]
  t.notOk(fits(doubled, 1_000_000), 'what is written out many times')
})

t.test('a page has at most the requested number of items, whatever its member is called', async t => {
  const refused = {
    code: 'LNK_ADAPTER_REJECTED',
    name: 'AnswerLimitError',
    message: /^ProductMaster\.listProducts .*\b201\b.*\b200\b/
  }

  for (const answer of [items(201), { items: items(201) }, { events: items(201) }]) {
    t.throws(() => {
      checkAnswerSize(listProducts, [{ limit: 200 }], answer)
    }, refused)
  }
  checkAnswerSize(listProducts, [{ limit: 200 }], { items: items(200) })
  checkAnswerSize({ ...listStock, method: 'getStockMany' }, [['1']], items(500))
  checkAnswerSize({ ...listStock, capability: 'acme/Weather' }, [{ limit: 1 }], items(2))
})

t.test('a page of stock has the levels of at most the requested number of products', async t => {
  const levels = (products: number, each: number): object[] =>
    items(products * each).map((item, index) => ({ ...item, productExternalId: String(index % products) }))
  const refusalOf = (answer: unknown): unknown => {
    try {
      checkAnswerSize(listStock, [{ limit: 200 }], answer)
      return undefined
    } catch (error) {
      return error
    }
  }

  t.equal(refusalOf({ items: levels(200, 4) }), undefined)
  t.match(refusalOf({ items: levels(201, 1) }), {
    name: 'AnswerLimitError',
    message: /^InventoryMaster\.listStock .*\b201\b.*\b200\b/
  })
  t.match(refusalOf({ items: levels(1, 50_001) }), {
    name: 'AnswerLimitError',
    message: /^InventoryMaster\.listStock .*\b50001\b.*\b50000\b/
  })
})

t.test('the answer of a call has a limit of bytes, which the message names', async t => {
  const text = (bytes: number): object => ({ text: 'x'.repeat(bytes) })
  const kinds: CallTarget[] = [
    { kind: 'test' },
    { kind: 'account' },
    { kind: 'checkConfig' },
    { kind: 'normalizeCredentials' },
    { kind: 'installWebhooks' },
    { kind: 'migrate', index: 0, direction: 'up' },
    { kind: 'init' }
  ]
  for (const target of kinds) {
    t.throws(
      () => {
        checkAnswerSize(target, [], text(300_000))
      },
      { message: /\b262144\b/ },
      target.kind
    )
  }

  checkAnswerSize(listStock, [], text(15_000_000))
  t.throws(() => {
    checkAnswerSize(listStock, [], text(17_000_000))
  }, { name: 'AnswerLimitError', message: /^InventoryMaster\.listStock .*\b16777216\b/ })
  t.throws(() => {
    checkAnswerSize(job, [], { result: text(300_000) })
  }, { name: 'AnswerLimitError', message: /^feed\.stock\.read .*result.*\b262144\b/ })
  t.throws(() => {
    checkAnswerSize(job, [], { stock: items(10_001) })
  }, { name: 'AnswerLimitError', message: /^feed\.stock\.read .*\b10001 stock\b.*\b10000\b/ })
  checkAnswerSize(job, [], { stock: items(10_000), result: text(200_000) })
  t.throws(
    () => {
      checkAnswerSize({ kind: 'route', index: 0 }, [], text(17_000_000))
    },
    { name: 'RangeError' },
    'whoever asks a route is not to blame'
  )
})
