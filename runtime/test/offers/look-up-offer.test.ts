import { NotFoundError, RejectedError, TransientError } from '@linker/sdk'
import t from 'tap'
import { ConnectionDisabledException } from '../../src/errors.ts'
import { lookUpOffer } from '../../src/offers/look-up-offer.ts'
import { openedConnection } from '../connections/support.ts'
import { recordingLog } from '../jobs/support.ts'

const able = openedConnection({ methods: { OfferManager: ['getOffer'] }, visibleAfterMs: 90_000 })
const offer = { connectionId: able.connection.id, externalId: 'offer-1', requestId: 'request' }
const shown = { externalId: 'offer-1', status: 'ACTIVE', quantity: 5, frozenFields: [], problems: [] }

interface Look {
  opened?: typeof able | Error
  answer?: unknown
}

/** Looks at the offer. The marketplace answers, or throws an error that is its answer. */
function look ({ opened = able, answer = shown }: Look) {
  const log = recordingLog()
  const asked: unknown[] = []
  const looked = lookUpOffer({
    log,
    connections: {
      async openEnabled () {
        if (opened instanceof Error) throw opened
        return opened
      }
    },
    adapters: {
      async call (_adapter, _connection, target, args) {
        asked.push({ ...target, args })
        if (answer instanceof Error) throw answer
        return answer
      }
    }
  }, offer)
  return { looked, asked, log }
}

t.test('an offer is returned as the marketplace shows it', async t => {
  const { looked, asked, log } = look({})

  t.strictSame(await looked, { shown })
  t.match(asked, [{ capability: 'OfferManager', method: 'getOffer', args: ['offer-1'] }])
  t.strictSame(log.entries, [])
})

t.test('an adapter that cannot read a single offer is not asked', async t => {
  const { looked, asked } = look({ opened: openedConnection({ methods: { OfferManager: ['listOffers'] } }) })

  t.strictSame(await looked, {})
  t.strictSame(asked, [])
})

t.test('an offer that the marketplace does not have, or refuses, is not linked', async t => {
  const missing = new NotFoundError('no such offer')
  await t.rejects(look({ answer: missing }).looked, {
    code: 'LNK_OFFER_NOT_SHOWN',
    message: /up to 2 minutes/,
    errors: [{ pointer: '/externalId', code: 'unknown' }],
    cause: missing
  })
  await t.rejects(look({ answer: new RejectedError('it belongs to another seller') }).looked, {
    code: 'LNK_ADAPTER_REJECTED',
    statusCode: 400,
    message: 'it belongs to another seller',
    errors: [{ pointer: '/externalId', code: 'unknown' }]
  })
})

t.test('a look that failed says why, in the words of the platform or of the hub', async t => {
  const disabled = new ConnectionDisabledException('c')
  const reasons: [Look, string | RegExp][] = [
    [{ answer: new TransientError('503') }, '503'],
    [{ opened: disabled }, disabled.message],
    [{ answer: { externalId: 'offer-1' } }, /^OfferManager\.getOffer returned/]
  ]
  for (const [given, reason] of reasons) {
    const { looked, log } = look(given)
    t.match(await looked, { shown: undefined, unknownBecause: reason })
    t.match(log.entries, [{ level: 'warn', fields: { externalId: 'offer-1', err: Error } }])
  }
})

t.test('the message of a fault stays in the log', async t => {
  const { looked, log } = look({ answer: new TypeError('password=secret') })

  t.notMatch((await looked).unknownBecause, /secret/)
  t.match(log.entries, [{ fields: { err: /secret/ } }])
})

t.test('without the database nothing is linked', async t => {
  const outage = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  await t.rejects(look({ opened: outage }).looked, outage)
  t.match(
    await look({ answer: new TransientError('connect', { cause: outage }) }).looked,
    { unknownBecause: 'connect' },
    'an outage of the platform is none of the database'
  )
})
