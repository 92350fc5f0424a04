import { conformanceChecks, runConformance } from '@linker/sdk/testing'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { adapterFolder as mkta, recordMktA } from '../recordings/mkta.ts'
import { adapterFolder as mktb, recordMktB } from '../recordings/mktb.ts'
import { readSettings } from '../recordings/record-fixtures.ts'

const adapters = [{ name: 'A', kept: mkta, record: recordMktA }, { name: 'B', kept: mktb, record: recordMktB }]

for (const { name, kept, record } of adapters) {
  t.test(`the recordings are what the adapter and the simulated marketplace ${name} say to each other`, async t => {
    const folder = t.testdir()
    const { fixtures = [] } = await readSettings(kept)
    await record(folder)

    t.ok(fixtures.length > 0)
    for (const { recording } of fixtures) {
      const [now, before] = await Promise.all([folder, kept].map(place => readFile(join(place, recording), 'utf8')))
      t.equal(now, before, `${recording} is current: npm run record`)
    }
  })

  t.test(`the recordings of marketplace ${name} contain no key and no buyer`, async t => {
    const { fixtures = [] } = await readSettings(kept)
    for (const { recording } of fixtures) {
      const text = await readFile(join(kept, recording), 'utf8')
      t.notMatch(text, /the-api-key-of-the-shop|authorization|Bearer/)
      t.notMatch(text, /Buyer\d+@|Anna|Nowak|Prosta|500600700/)
    }
  })
}

t.test('marketplace A keeps the order of its quantities', async t => {
  const only = ['L3-FIX-01', 'L3-WRT-03']
  const { checks } = await runConformance(mkta, { only })

  t.match(checks.map(({ id, status }) => [id, status]), only.map(id => [id, 'passed']))
})

t.test('marketplace B passes every check of level 3 that its writes need', async t => {
  const only = conformanceChecks.filter(({ level }) => level === 3).map(({ id }) => id)
  const { checks } = await runConformance(mktb, { only })

  t.match(checks.filter(({ status }) => status !== 'passed'), [
    { id: 'L3-WRT-03', status: 'skipped' },
    { id: 'L3-WRT-04', status: 'skipped' }
  ], 'its writes are carried out in their order, and it is no shop')
})
