import t from 'tap'
import { fullestMode } from '../support/modes.ts'
import { buildNewerHub } from '../support/newer-hub.ts'
import { upgradeWhileSending } from './upgrade.ts'

const mode = fullestMode(process.env)

const skip = mode === 'embedded' && 'needs PostgreSQL: two hubs cannot share an embedded database'

t.test('a newer hub takes over from an older one under load', { skip }, async t => {
  if (mode === 'embedded') return
  const newer = await buildNewerHub()
  t.teardown(newer.remove)

  const { besideEachOther, refusal, ...counts } = await upgradeWhileSending({
    mode,
    environment: process.env,
    newer,
    eventsOfEachPart: 100
  })

  t.strictSame(counts, { lost: 0, lostByTheWayBack: 0, publishedTwice: 0, ranTwice: 0 })
  t.ok(besideEachOther.older > 0 && besideEachOther.newer > 0, 'both accepted events of the same time')
  t.equal(refusal.code, 1)
  t.match(refusal.text, 'LNK_DATABASE_NEWER')
  t.match(refusal.text, newer.version)
})
