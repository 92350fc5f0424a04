import t from 'tap'
import type { Position } from '../../../src/http/paging.ts'
import { jobIdOf } from '../../../src/jobs/identity.ts'
import { scanKeys, type KeyScan } from '../../../src/jobs/keys/store.ts'
import { kinds, makePlace, openJobs } from '../support.ts'

for (const kind of kinds(t)) {
  t.test(`jobs are found by the beginning of their keys, a part of the ledger at a time, ${kind}`, async t => {
    const place = await makePlace(kind)
    t.teardown(() => place.remove())
    const jobs = await openJobs(place)
    t.teardown(() => jobs.close())
    const { query } = jobs.database
    const connectionId = await jobs.addConnection()
    const keys = Array.from({ length: 20 }, (_, index) => `${index % 4 === 0 ? 'web_hook:' : 'webXhook:'}${index}`)
    await jobs.enqueueJobs(keys.map((idempotencyKey, index) => ({
      jobType: 'state.sync',
      connectionId: index < 10 ? connectionId : null,
      payload: { object: String(index) },
      idempotencyKey
    })))
    const timeOf = (index: number): string => new Date(Date.UTC(2026, 0, 31, 12, 0, index)).toISOString()
    for (const [index, key] of keys.entries()) {
      await query('update jobs set created_at = $1 where id = $2', [timeOf(index), jobIdOf(key)])
    }
    const found = async (scan: Partial<KeyScan>) => {
      const { ids, last } = await scanKeys(query, { prefix: 'web_hook:', limit: 100, ...scan })
      return { indexes: ids.map(id => keys.findIndex(key => jobIdOf(key) === id)), last }
    }
    const at = (index: number): Position => ({ createdAt: timeOf(index), id: jobIdOf(keys[index] ?? '') })

    t.strictSame(await found({}), { indexes: [16, 12, 8, 4, 0], last: undefined })
    t.strictSame(await found({ limit: 5 }), { indexes: [16], last: at(15) })
    t.strictSame(await found({ limit: 5, after: at(15) }), { indexes: [12], last: at(10) })
    t.strictSame(await found({ connectionId }), { indexes: [8, 4, 0], last: undefined })
    t.strictSame(await found({ since: timeOf(4), until: timeOf(12) }), { indexes: [8, 4], last: undefined })
    t.strictSame(await found({ prefix: 'nobody', limit: 3 }), { indexes: [], last: at(17) })
    t.strictSame(await found({ until: timeOf(0) }), { indexes: [], last: undefined })
  })
}
