import t from 'tap'
import { refusal, staleRefusal } from '../../../src/connections/moves/refusal.ts'
import { MoveUnconfirmedError } from '../../../src/errors.ts'

t.test('a refusal names each reason as a sentence that begins with its pointer', async t => {
  const reasons = [
    { pointer: '/capabilities', code: 'capability-lost', message: 'loses OfferManager' },
    { pointer: '', code: 'changed', message: 'another request came first' }
  ]

  t.match(refusal(reasons), {
    code: 'LNK_MOVE_REFUSED',
    statusCode: 409,
    message: '/capabilities loses OfferManager; another request came first',
    errors: reasons
  })
  t.match(refusal(reasons, MoveUnconfirmedError), { code: 'LNK_MOVE_UNCONFIRMED', statusCode: 409 })
  t.match(staleRefusal(), { code: 'LNK_MOVE_REFUSED', errors: [{ code: 'changed' }] })
})
