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
