import { Address, NewOffer, NewOrder, OfferPatch, OrderEvent, requiredMethods, StockLevel } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { methods } from '../../../src/testing/conformance/methods.ts'
import {
  newOffer,
  newOrder,
  offerPatch,
  orderEvent,
  sampleOf,
  stockLevel
} from '../../../src/testing/conformance/samples.ts'

t.test('the suite sends only values that a hub could send', async t => {
  t.ok(Value.Check(NewOrder, newOrder))
  t.ok(Value.Check(Address, newOrder.invoiceAddress))
  t.ok(Value.Check(NewOffer, newOffer))
  t.ok(Value.Check(OfferPatch, offerPatch))
  t.ok(Value.Check(StockLevel, stockLevel))
  t.ok(Value.Check(OrderEvent, orderEvent))
})

t.test('every required method of every capability can be called', async t => {
  for (const [capability, required] of Object.entries(requiredMethods)) {
    const known = Object.keys(new Map(Object.entries(methods)).get(capability) ?? {})
    t.strictSame(required.filter(method => !known.includes(method)), [], capability)
  }
})

t.test('the suite makes a payload from its schema', async t => {
  const schema = Type.Object({
    externalId: Type.String({ minLength: 3 }),
    kind: Type.Union([Type.Literal('stock'), Type.Literal('product')]),
    quantity: Type.Integer({ minimum: 5 }),
    isFull: Type.Boolean(),
    lines: Type.Array(Type.Object({ id: Type.String() }), { minItems: 2 }),
    nothing: Type.Null(),
    comment: Type.Optional(Type.String())
  })

  t.strictSame(sampleOf(schema), {
    externalId: '111',
    kind: 'stock',
    quantity: 5,
    isFull: false,
    lines: [{ id: '1' }, { id: '1' }],
    nothing: null
  })
  t.equal(sampleOf({}), undefined)
})
