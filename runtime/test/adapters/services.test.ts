import { hostContract } from '@linker/sdk/testing'
import t from 'tap'
import { kinds, makePlace, openJobs } from '../jobs/support.ts'
import { openDriver } from './services-driver.ts'

for (const kind of kinds(t)) {
  t.test(`services on ${kind}`, async t => {
    const place = await makePlace(kind)
    const jobs = await openJobs(place)
    t.teardown(async () => {
      await jobs.close()
      await place.remove()
    })

    for (const isolation of ['inline', 'worker'] as const) {
      t.test(isolation, async t => {
        const driver = openDriver(t, jobs, isolation)

        for (const { name, run } of hostContract) t.test(name, () => run(driver))
      })
    }
  })
}
