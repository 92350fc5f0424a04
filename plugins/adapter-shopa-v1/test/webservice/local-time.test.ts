import { AdapterErrorCode } from '@linker/sdk'
import t from 'tap'
import { createLocalTime } from '../../src/webservice/local-time.ts'

const warsaw = createLocalTime('Europe/Warsaw')

t.test('local times of winter and summer become instants by the offset of their season, and back', async t => {
  t.equal(warsaw.toInstant('2025-01-02 11:30:00')?.toISOString(), '2025-01-02T10:30:00.000Z')
  t.equal(warsaw.toInstant('2025-07-02 11:30:00')?.toISOString(), '2025-07-02T09:30:00.000Z')
  t.equal(warsaw.fromInstant(new Date('2025-01-02T10:30:00Z')), '2025-01-02 11:30:00')
  t.equal(warsaw.fromInstant(new Date('2025-01-01T23:00:00Z')), '2025-01-02 00:00:00')
})

t.test('a local time in the hour that autumn repeats means the earlier of its two instants', async t => {
  t.equal(warsaw.toInstant('2025-10-26 02:30:00')?.toISOString(), '2025-10-26T00:30:00.000Z')
  t.equal(warsaw.toInstant('2025-10-26 01:59:59')?.toISOString(), '2025-10-25T23:59:59.000Z')
  t.equal(warsaw.toInstant('2025-10-26 03:00:00')?.toISOString(), '2025-10-26T02:00:00.000Z')
})

t.test('a time in the hour that spring skips is read by the offset before that hour', async t => {
  t.equal(warsaw.toInstant('2025-03-30 02:30:00')?.toISOString(), '2025-03-30T01:30:00.000Z')
  t.equal(warsaw.toInstant('2025-03-30 01:59:59')?.toISOString(), '2025-03-30T00:59:59.000Z')
  t.equal(warsaw.toInstant('2025-03-30 03:00:00')?.toISOString(), '2025-03-30T01:00:00.000Z')
})

t.test('a text that is no time, or a date that does not exist, has no instant', async t => {
  for (const local of ['', '0000-00-00 00:00:00', '2025-02-30 10:00:00', 'yesterday']) {
    t.equal(warsaw.toInstant(local), undefined, local)
  }
})

t.test('an unknown time zone is a configuration error that names it', async t => {
  t.throws(() => createLocalTime('Europe/Nowhere'), {
    code: AdapterErrorCode.configuration,
    message: /Europe\/Nowhere/
  })
})
