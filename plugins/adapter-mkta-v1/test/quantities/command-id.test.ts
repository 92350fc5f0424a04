import t from 'tap'
import { deriveCommandId } from '../../src/quantities/command-id.ts'

t.test('the same key gives the same id, a UUID', async t => {
  t.equal(deriveCommandId('inventory:example-key'), '0102e087-1ca1-4085-b434-f13ae2f12b2c')
  t.not(deriveCommandId('inventory:example-key2'), deriveCommandId('inventory:example-key'))
  for (let key = 0; key < 100; key++) {
    t.match(deriveCommandId(String(key)), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
})
