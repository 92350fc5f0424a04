import { conformanceChecks, runConformance } from '@linker/sdk/testing'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { adapterFolder, readSettings, recordMktb } from '../recordings/mktb.ts'

t.test('the recordings are what the adapter and the simulated marketplace say to each other', async t => {
  const folder = t.testdir()
  const { fixtures = [] } = await readSettings()
  await recordMktb(folder)

  t.ok(fixtures.length > 0)
  for (const { recording } of fixtures) {
    const [recorded, kept] = await Promise.all([folder, adapterFolder].map(place =>
      readFile(join(place, recording), 'utf8')
    ))
    t.equal(recorded, kept, `${recording} is current: npm run record`)
  }
})

t.test('the recordings contain no key and no buyer', async t => {
  const { fixtures = [] } = await readSettings()
  for (const { recording } of fixtures) {
    const text = await readFile(join(adapterFolder, recording), 'utf8')
    t.notMatch(text, /the-api-key-of-the-shop|authorization|Bearer/)
    t.notMatch(text, /Buyer\d+@|Anna|Nowak|Prosta|500600700/)
  }
})

t.test('Marketplace B passes every check of level 3 with them', async t => {
  const only = conformanceChecks.filter(({ level }) => level === 3).map(({ id }) => id)
  const { checks } = await runConformance(adapterFolder, { only })

  t.strictSame(checks.filter(({ status }) => status !== 'passed'), [])
})
