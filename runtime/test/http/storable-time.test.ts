import t from 'tap'
import { toStorableTime } from '../../src/http/storable-time.ts'

for (
  const [given, stored] of [
    ['2026-01-31T09:59:33Z', '2026-01-31T09:59:33.000Z'],
    ['2026-01-31t09:59:33.912z', '2026-01-31T09:59:33.912Z'],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.000Z'],
    ['2017-01-01T00:59:60.5+01:00', '2016-12-31T23:59:59.500Z'],
    ['0001-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59-23:59', '9999-12-31T00:00:00.000Z']
  ] as const
) {
  t.test(`${given} is stored as ${stored}`, async t => {
    t.equal(toStorableTime(given), stored)
  })
}

t.test('a time that JavaScript cannot read is refused', async t => {
  t.throws(() => toStorableTime('2026-01-31T09:59:33+99:00'), { code: 'LNK_REQUEST_INVALID', statusCode: 400 })
})
