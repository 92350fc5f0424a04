import { AuthenticationError, NotFoundError, TransientError, type Offer } from '@linker/sdk'
import t from 'tap'
import type { Query } from '../../../src/database/database.ts'
import { createShownReader } from '../../../src/offers/reconcile/read-shown.ts'
import type { Expected } from '../../../src/offers/reconcile/store.ts'
import { openedConnection } from '../../connections/support.ts'

const offer = (externalId: string): Offer => ({ externalId, status: 'ACTIVE', frozenFields: [], problems: [] })
const expectedOf = (...names: readonly string[]): Expected[] =>
  names.map(name => ({ id: `id of ${name}`, externalId: name }))

interface Marketplace {
  methods: Readonly<Record<string, readonly string[]>>
  /** Offers that the hub expects there. */
  expected?: readonly Expected[]
  /** The answer to a call; an error is thrown. */
  answer?: (argument: unknown) => unknown
  signal?: AbortSignal
}

function readerOf ({ methods, expected = [], answer = () => undefined, signal }: Marketplace) {
  const query: Query = async <Row extends object>() => expected as object[] as Row[]
  const calls: unknown[] = []
  const reader = createShownReader(query, openedConnection({ methods }), async (capability, method, argument) => {
    calls.push([`${capability}.${method}`, argument])
    const given = answer(argument)
    if (given instanceof Error) throw given
    return given
  }, signal)
  return { reader, calls }
}

const single = { OfferManager: ['getOffer'] }

t.test('a list is read page by page, and an answer that does not fit only counts', async t => {
  const pages: Record<string, object> = {
    first: { items: [offer('a'), { externalId: 'b' }, null], nextCursor: 'second' },
    second: { items: [] }
  }
  const { reader, calls } = readerOf({
    methods: { OfferManager: ['getOffer', 'listOffers'] },
    answer: argument => pages[(argument as { cursor?: string }).cursor ?? 'first']
  })

  t.strictSame(await reader.readPage(undefined), { offers: [offer('a')], absent: [], unreadable: 2, next: 'second' })
  t.strictSame(await reader.readPage('second'), { offers: [], absent: [], unreadable: 0, next: undefined })
  t.strictSame(calls, [
    ['OfferManager.listOffers', { limit: 200 }],
    ['OfferManager.listOffers', { limit: 200, cursor: 'second' }]
  ])
  t.match(reader, { isList: true, listing: 'OfferManager.listOffers', readEach: Function })
})

t.test('a list without items is an error of the adapter', async t => {
  const { reader } = readerOf({ methods: { Marketplace: ['listOffers'] }, answer: () => ({ offers: [] }) })
  await t.rejects(reader.readPage(undefined), { code: 'LNK_ADAPTER_REJECTED', message: /Marketplace\.listOffers/ })
})

t.test('without a list the expected offers are read one by one, fifty to a page', async t => {
  const names = Array.from({ length: 50 }, (_, number) => String(number))
  const answer = (externalId: unknown) => offer(String(externalId))
  const full = readerOf({ methods: single, expected: expectedOf(...names), answer })
  const last = readerOf({ methods: single, expected: expectedOf(...names.slice(1)), answer })

  t.equal(full.reader.isList, false)
  t.match(await full.reader.readPage(undefined), { offers: names.map(offer), next: 'id of 49' })
  t.equal((await last.reader.readPage('id of 0')).next, undefined)
})

t.test('an offer that the marketplace does not have is absent, an unreadable one is not', async t => {
  const { reader } = readerOf({
    methods: single,
    answer: name =>
      new Map<unknown, unknown>([
        ['a', offer('a')],
        ['gone', new NotFoundError('no such offer')],
        ['broken', { externalId: 'broken' }],
        ['failing', new TransientError('503')]
      ]).get(name)
  })

  t.strictSame(await reader.readEach?.(expectedOf('gone', 'broken', 'a', 'failing')), {
    offers: [offer('a')],
    absent: expectedOf('gone'),
    unreadable: 2
  })
})

t.test('errors that are not about one offer end the reading', async t => {
  const refused = new AuthenticationError('bad key')
  const away = new TransientError('503')
  const read = (answers: Readonly<Record<string, unknown>>, signal?: AbortSignal) =>
    readerOf({ methods: single, answer: name => answers[String(name)], ...(signal === undefined ? {} : { signal }) })
      .reader.readEach?.(expectedOf(...Object.keys(answers)))

  await t.rejects(Promise.resolve(read({ a: offer('a'), b: away, c: refused })), refused)
  await t.rejects(Promise.resolve(read({ a: away, b: away })), away, 'the offers are not the cause when all fail')
  await t.rejects(Promise.resolve(read({ a: offer('a'), b: away }, AbortSignal.abort())), away, 'the time is over')
  t.match(await read({ a: new NotFoundError('no'), b: new NotFoundError('no') }), { unreadable: 0 })
  t.strictSame(await read({}), { offers: [], absent: [], unreadable: 0 })
})

t.test('the capabilities decide how offers can be read', async t => {
  const readers = [
    readerOf({ methods: { OfferManager: [] } }),
    readerOf({ methods: { Marketplace: ['listOffers'] } }),
    readerOf({ methods: { Marketplace: ['listOffers', 'getOffer'] } })
  ]
  t.strictSame(readers.map(({ reader: { isList, readEach } }) => [isList, readEach !== undefined]), [
    [false, true],
    [true, false],
    [true, true]
  ])
  t.throws(() => readerOf({ methods: { OrderSource: [] } }), { code: 'LNK_CAPABILITY_NOT_SUPPORTED' })
})
