import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { attributeId, productId, simpleVariantId } from '../../src/products/ids.ts'

// Each would widen the filter that the id goes into, or name another record.
const foreign = ['', '0', '-1', '1|2', '[1,9]', '01', ' 1', '12345678901', 'product:', 'product:2']

t.test('an id that the shop does not write reaches no filter', async t => {
  for (const id of foreign) {
    t.throws(() => productId(id), { code: AdapterErrorCode.rejected }, id)
    t.throws(() => attributeId(id, '1'), { code: AdapterErrorCode.rejected }, id)
  }
})

t.test('the shop keeps the stock of a product without combinations under the attribute 0', async t => {
  t.equal(attributeId(simpleVariantId('27'), '27'), '0')
  t.equal(attributeId('101', '27'), '101')
  t.equal(productId('27'), '27')
})
