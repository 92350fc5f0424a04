import { Type } from '@sinclair/typebox'
import t from 'tap'
import { describeProblem, requestIdOf } from '../../src/events/message.ts'

t.test('a request id that could forge a line of the log is left out', async t => {
  t.strictSame(requestIdOf('shop-1:2026_a.b'), { requestId: 'shop-1:2026_a.b' })
  for (const id of ['', 'a b', 'a\nb', 'x'.repeat(129), 7, undefined]) t.strictSame(requestIdOf(id), {})
})

t.test('a fault names the place and the rule, and quotes nothing', async t => {
  const schema = Type.Object({ object: Type.Object({ id: Type.String() }) })
  const { malformed } = describeProblem(schema, { object: { id: { secret: 'canary-1' } } }, 'payloadJson')

  t.match(malformed, /^payloadJson\/object\/id: /)
  t.notMatch(malformed, 'canary-1')
  t.strictSame(describeProblem(schema, undefined, 'payloadJson'), { malformed: 'payloadJson: not a JSON object' })
})
