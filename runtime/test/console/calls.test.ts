import t from 'tap'
import { answerOf, toneOfAnswer } from '../../console/rules/calls.ts'

t.test('a request without an answer tells why', async t => {
  t.equal(answerOf({ status: null, error: 'ECONNREFUSED' }), 'ECONNREFUSED')
  t.equal(answerOf({ status: null }), 'no answer')
  t.equal(answerOf({ status: 200, error: 'UND_ERR_SOCKET' }), '200 UND_ERR_SOCKET')
  t.equal(toneOfAnswer({ status: null }), 'bad')
})

t.test('refusals and failures of a platform look different', async t => {
  t.strictSame([202, 429, 503].map(status => toneOfAnswer({ status })), ['good', 'warn', 'bad'])
  t.equal(toneOfAnswer({ status: 200, error: 'UND_ERR_SOCKET' }), 'bad')
})
