import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { createLocalTime } from '../../src/webservice/local-time.ts'

const warsaw = createLocalTime('Europe/Warsaw')

t.test('the shop writes winter and summer times without a zone', async t => {
  t.equal(warsaw.toInstant('2025-01-02 11:30:00')?.toISOString(), '2025-01-02T10:30:00.000Z')
  t.equal(warsaw.toInstant('2025-07-02 11:30:00')?.toISOString(), '2025-07-02T09:30:00.000Z')
  t.equal(warsaw.fromInstant(new Date('2025-01-02T10:30:00Z')), '2025-01-02 11:30:00')
  t.equal(warsaw.fromInstant(new Date('2025-01-01T23:00:00Z')), '2025-01-02 00:00:00')
})

t.test('a time in the hour that autumn repeats means the earlier instant', async t => {
  t.equal(warsaw.toInstant('2025-10-26 02:30:00')?.toISOString(), '2025-10-26T00:30:00.000Z')
  t.equal(warsaw.toInstant('2025-10-26 01:59:59')?.toISOString(), '2025-10-25T23:59:59.000Z')
  t.equal(warsaw.toInstant('2025-10-26 03:00:00')?.toISOString(), '2025-10-26T02:00:00.000Z')
})

t.test('a time that does not exist is unknown', async t => {
  for (const local of ['', '0000-00-00 00:00:00', '2025-03-30 02:30:00', 'yesterday']) {
    t.equal(warsaw.toInstant(local), undefined, local)
  }
})

t.test('the error names a time zone that does not exist', async t => {
  t.throws(() => createLocalTime('Europe/Nowhere'), {
    code: AdapterErrorCode.configuration,
    message: /Europe\/Nowhere/
  })
})
