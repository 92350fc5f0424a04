import fc from 'fast-check'
import t from 'tap'
import { v5 } from 'uuid'
import { productIdOf, variantIdOf } from '../../src/catalog/identity.ts'

const namespace = '7c4f3d2e-2f0a-5f0e-9d43-1b1f2f8f6a10'

t.test('ids of products and variants are UUIDs of version 5 that never change', async t => {
  t.equal(
    variantIdOf('123e4567-e89b-12d3-a456-426614174000', '27', '101'),
    v5('["variant","123e4567-e89b-12d3-a456-426614174000","27","101"]', namespace)
  )
  t.doesNotThrow(() =>
    fc.assert(fc.property(
      fc.uuid(),
      fc.string({ unit: 'binary' }),
      (connectionId, externalId) =>
        productIdOf(connectionId, externalId) === v5(JSON.stringify(['product', connectionId, externalId]), namespace)
    ))
  )
})
