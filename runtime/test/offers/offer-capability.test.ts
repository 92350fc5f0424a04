import t from 'tap'
import { offerCapabilityFor, requireOfferCapability } from '../../src/offers/offer-capability.ts'
import { openedConnection } from '../connections/support.ts'

t.test('a method is called through a capability that the operator enabled and that has it', async t => {
  const methods = { Marketplace: ['updateOffer'], OfferManager: ['getOffer', 'updateOffer'] }
  const both = openedConnection({ methods })
  t.equal(offerCapabilityFor(both, 'updateOffer'), 'OfferManager')
  t.equal(offerCapabilityFor(both, 'endOffer'), undefined)

  const one = openedConnection({ methods, enabled: ['Marketplace'] })
  t.equal(offerCapabilityFor(one, 'updateOffer'), 'Marketplace')
  t.equal(offerCapabilityFor(one, 'getOffer'), undefined)
  t.equal(offerCapabilityFor(openedConnection({ methods: { OfferManager: null } }), 'updateOffer'), undefined)
})

t.test('the refusal names the capability that would have to have the method', async t => {
  const refusalOf = (capability: string) => () =>
    requireOfferCapability(openedConnection({ methods: { [capability]: ['getOffer'] } }), 'endOffer')

  for (const capability of ['OfferManager', 'Marketplace']) {
    t.throws(refusalOf(capability), {
      code: 'LNK_CAPABILITY_NOT_SUPPORTED',
      message: new RegExp(`'feed\\.api\\.v1'.*'${capability}\\.endOffer'`)
    })
  }
  t.throws(refusalOf('OrderSource'), { message: /'OfferManager\.endOffer'/ })
})
