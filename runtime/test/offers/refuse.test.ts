import t from 'tap'
import { refuse } from '../../src/offers/refuse.ts'

const problem = (pointer: string, message: string) => ({ pointer, code: 'invalid', message })

t.test('without a problem nothing is refused', async t => {
  t.doesNotThrow(() => {
    refuse([])
  })
})

t.test('a problem that variants of one product share is reported once, at each of its pointers', async t => {
  const found = [
    problem('/price', 'too low'),
    problem('/price', 'too low'),
    problem('/price', 'too many digits'),
    problem('/items/1/price', 'too low')
  ]
  t.throws(() => {
    refuse(found)
  }, {
    code: 'LNK_OFFER_INVALID',
    statusCode: 400,
    message: /^too low; too many digits$/,
    errors: [
      problem('/price', 'too low'),
      problem('/price', 'too many digits'),
      problem('/items/1/price', 'too low')
    ]
  })
})

t.test('a missing member is named in the detail, once for all items, and not beside its pointer', async t => {
  const missing = (pointer: string) => ({ pointer, code: 'required', message: 'is required: the shop gave none' })
  const whole = { pointer: '/items/2', code: 'required', message: 'one of a and b is required' }
  const found = [missing('/items/0/price'), missing('/items/1/price'), missing('/overrides/title'), whole]
  t.throws(() => {
    refuse(found)
  }, {
    message:
      /^price is required: the shop gave none; title is required: the shop gave none; one of a and b is required$/,
    errors: found
  })
  t.throws(() => {
    refuse([missing('')])
  }, { message: /^is required: / })
})
