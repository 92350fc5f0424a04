import t from 'tap'
import { findInstallDoubt } from '../../src/webhooks/install-doubt.ts'

const pingedAt = '2026-01-31T12:00:00.000Z'
const warnedAt = '2026-01-31T12:00:00.200Z'
const well = { pingedAt, pingProblem: null, installWarning: null, warnedAt: null }
const warned = { ...well, installWarning: 'the shop does not reach the hub', warnedAt }
const failed = { ...well, pingProblem: 'answered 404' }

t.test('an install that went well, or was never made, raises no doubt', async t => {
  t.equal(findInstallDoubt(well, []), undefined)
  t.equal(findInstallDoubt({ ...well, pingedAt: null }, [null]), undefined)
})

t.test("the hub's own test event, which comes before the end of the install, does not end a warning", async t => {
  const doubt = { since: warnedAt, isAddressDoubtful: false, reasons: ['the shop does not reach the hub'] }

  t.strictSame(findInstallDoubt(warned, [pingedAt]), doubt)
  t.strictSame(findInstallDoubt(warned, [warnedAt]), doubt)
  t.strictSame(findInstallDoubt(warned, [null]), doubt)
})

t.test('any later delivery ends it, in whatever order the times are given', async t => {
  const later = '2026-01-31T12:00:01.000Z'

  t.equal(findInstallDoubt(warned, [later]), undefined)
  t.equal(findInstallDoubt(warned, [pingedAt, null, later, null]), undefined)
  t.equal(findInstallDoubt(failed, [pingedAt]), undefined, 'the test event came at the time of its own test')
})

t.test('a test event that failed comes first and makes the address doubtful', async t => {
  t.strictSame(findInstallDoubt({ ...warned, ...failed, installWarning: warned.installWarning, warnedAt }, []), {
    since: pingedAt,
    isAddressDoubtful: true,
    reasons: ['answered 404', 'the shop does not reach the hub']
  })
})
