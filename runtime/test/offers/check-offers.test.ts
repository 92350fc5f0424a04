import { RateLimitedError, RejectedError, type NewOffer } from '@linker/sdk'
import t from 'tap'
import type { Adapters } from '../../src/adapters/adapters.ts'
import { createOfferChecks } from '../../src/offers/check-offers.ts'
import { openedConnection } from '../connections/support.ts'

const offer: NewOffer = {
  externalId: 'v',
  title: 'Mug',
  price: { amount: '10.00', currency: 'PLN' },
  quantity: 5,
  imageUrls: [],
  publishImmediately: true
}
const problem = { pointer: '/title', code: 'too-short', message: 'a title has four letters' }

/** Checks that ask an adapter with this answer, and the calls that the adapter got. */
function checksOf (answer: () => unknown) {
  const calls: Parameters<Adapters['call']>[] = []
  const checks = createOfferChecks({
    async call (...given) {
      calls.push(given)
      return answer()
    }
  })
  return { checks, calls }
}

t.test('new offers are checked at once, and each gets its own problems', async t => {
  const opened = openedConnection({ methods: { OfferManager: ['checkNewOffers'] } })
  const { checks, calls } = checksOf(() => [[], [problem]])

  t.strictSame(await checks.ofNew(opened, [offer, offer], 'request'), [[], [problem]])
  t.match(calls, [[
    opened.adapter,
    opened.snapshot,
    { kind: 'capability', capability: 'OfferManager', method: 'checkNewOffers' },
    [[offer, offer]],
    { requestId: 'request' }
  ]])
})

t.test('a check leaves nothing behind in the hub', async t => {
  const { checks, calls } = checksOf(() => [])
  await checks.ofPatch(openedConnection({ methods: { Marketplace: ['checkPatch'] } }), { title: 'Mug' }, 'request')

  const [[, , target, args, options] = []] = calls
  t.match(target, { capability: 'Marketplace', method: 'checkPatch' })
  t.strictSame(args, [{ title: 'Mug' }])
  t.type(options?.keep, 'function', 'without it, the hub would store the effects of the call')
})

t.test('an adapter that cannot check finds no problem and is not asked', async t => {
  const { checks, calls } = checksOf(() => [[problem]])
  const opened = openedConnection({ methods: { OfferManager: ['updateOffer'] } })

  t.strictSame(await checks.ofNew(opened, [offer, offer], 'request'), [[], []])
  t.strictSame(await checks.ofPatch(opened, { title: 'Mug' }, 'request'), [])
  t.strictSame(calls, [])
})

t.test('an answer that does not fit the offers is refused', async t => {
  const opened = openedConnection({ methods: { OfferManager: ['checkNewOffers'] } })
  for (const answer of [[[]], [[], [], []], [[], [{ pointer: '/title' }]], null]) {
    const { checks } = checksOf(() => answer)
    await t.rejects(checks.ofNew(opened, [offer, offer], 'request'), {
      code: 'LNK_ADAPTER_REJECTED',
      message: /OfferManager\.checkNewOffers/
    })
  }
})

t.test('an error of the adapter answers the request as one of its routes would', async t => {
  const opened = openedConnection({ methods: { OfferManager: ['checkPatch'] } })
  const failing = (error: Error) =>
    checksOf(() => {
      throw error
    }).checks.ofPatch(opened, { title: 'Mug' }, 'request')

  await t.rejects(failing(new RejectedError('no')), { code: 'LNK_ADAPTER_REJECTED', statusCode: 400 })
  await t.rejects(failing(new RateLimitedError('slowly')), { code: 'LNK_ADAPTER_RATE_LIMITED', statusCode: 503 })
  await t.rejects(failing(new TypeError('a fault')), { code: 'LNK_ADAPTER_FAILED', message: /'feed\.api\.v1@1\.0\.0'/ })
})
