import { Order } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { parseAnswer } from '../../src/adapters/parse-answer.ts'

t.test('the error names the wrong member of an answer, with the words that are allowed', async t => {
  const schema = Type.Object({ items: Type.Array(Type.Pick(Order, ['externalId', 'status'])) }, {
    additionalProperties: false
  })
  const said = (answer: unknown): string => {
    try {
      return JSON.stringify(parseAnswer(schema, 'OrderSource.listOrders', answer))
    } catch (error) {
      return error instanceof Error && 'code' in error ? `${String(error.code)} ${error.message}` : String(error)
    }
  }

  t.match(
    said({ items: [{ externalId: '1', status: 'paid' }] }),
    /^LNK_ADAPTER_REJECTED OrderSource\.listOrders .*: \/items\/0\/status: Expected one of '.*'processing'/
  )
  t.match(
    said({ items: [{ externalId: 7, status: 'processing' }], next: 1 }),
    /\/items\/0\/externalId: Expected string/
  )
  t.match(said({ items: [{ externalId: 7, status: 'processing' }], next: 1 }), /\/next: Unexpected property/)
  t.match(said(5), /the answer: Expected object/)
  t.equal(said({ items: [] }), '{"items":[]}')
})
