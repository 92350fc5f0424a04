import t from 'tap'
import { parseIfMatch } from '../../src/connections/if-match.ts'

t.test('an ETag names a version, and no header or a star names any', async t => {
  t.equal(parseIfMatch('"12"'), 12)
  t.equal(parseIfMatch('*'), undefined)
  t.equal(parseIfMatch(undefined), undefined)
})

for (const value of ['12', 'W/"12"', '"12", "13"', '""', '"-1"', '"1e3"', '"1234567890"']) {
  t.test(`${value} is refused: a change would go ahead unchecked`, async t => {
    t.throws(() => parseIfMatch(value), { code: 'LNK_REQUEST_INVALID', statusCode: 400 })
  })
}
