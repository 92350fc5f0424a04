import t from 'tap'
import { offersOf, routeAddress } from '../../console/form/offers-of.ts'

t.test('a field offers the values that a route of the adapter answers', async t => {
  t.strictSame(offersOf([{ const: 'pl', title: 'Poland' }, { const: 'cz' }, { const: 7 }, null, 'text']), [
    { value: 'pl', title: 'Poland' },
    { value: 'cz', title: 'cz' }
  ])
  t.strictSame(offersOf({ code: 'LNK_NOT_FOUND' }), [])
  t.equal(routeAddress('shopa', '/sites'), '/integrations/shopa/sites')
})
