import t from 'tap'
import { feedshopManifest } from '../support/feedshop.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { buildTestHub, type TestHub } from '../support/hub.ts'
import { availableModes } from '../support/modes.ts'
import { makeProject, type ForeignPackage } from '../support/project.ts'

const source = `
  import { defineAdapter } from '@linker/sdk'
  export default defineAdapter({
    config: { type: 'object' },
    credentials: { type: 'null' },
    connect: () => ({}),
    capabilities: {}
  })`
const first: ForeignPackage = { manifest: feedshopManifest(), source }

/** Another package of the platform. */
const other = (adapterKey: string): ForeignPackage => ({
  manifest: feedshopManifest({ name: `@acme/adapter-${adapterKey.replaceAll('.', '-')}`, adapterKey }),
  source
})

// Its key sorts before that of the first.
const newcomer = other('feedshop.afiles.v1')
const nextMajor = other('feedshop.api.v2')

const namesOf = (...packages: ForeignPackage[]) => packages.map(({ manifest }) => manifest.name)
const body = { name: 'Feed', platformType: 'feedshop', config: {} }

/** Returns the key that a connection without one gets, or the code of the refusal. */
async function keyOfNew (call: TestHub['call']): Promise<string | undefined> {
  const { adapterKey, code } = (await call('POST', '/connections', { body })).json as {
    adapterKey?: string,
    code?: string
  }
  return adapterKey ?? code
}

for (const mode of availableModes(process.env)) {
  t.test(`${mode}: the key that served a platform first stays its default beside a newcomer`, async t => {
    const packages = [first, newcomer, nextMajor]
    const hub = await buildTestHub(t, { mode, packages, config: { adapters: namesOf(first) } })
    const restartWith = async (packages: ForeignPackage[], defaults: Record<string, string> = {}) => {
      await hub.restart({ config: { adapters: namesOf(...packages), defaults } })
      return keyOfNew(hub.call)
    }

    t.equal(await restartWith([newcomer, first]), 'feedshop.api.v1', 'before any connection was made')
    t.equal(await restartWith([newcomer, nextMajor, first]), 'feedshop.api.v1')
    if (mode !== 'embedded') {
      const project = await makeProject({ adapters: namesOf(newcomer, nextMajor) }, [newcomer, nextMajor])
      t.teardown(() => project.remove())
      const second = await startHubProcess(project.directory, hub.variables)
      t.teardown(() => second.stop())
      t.equal(await keyOfNew(hub.at(second.url)), 'feedshop.api.v2', 'another major of it serves in another process')
    }
    t.equal(await restartWith([newcomer, first], { feedshop: 'feedshop.afiles.v1' }), 'feedshop.afiles.v1')
    t.equal(await restartWith([newcomer, first]), 'feedshop.api.v1', 'the configuration does not name one any more')
    t.equal(await restartWith([newcomer]), 'LNK_CONNECTION_INVALID', 'the newcomer does not take its place')
    t.match((await hub.call('POST', '/connections', { body })).json, {
      detail: /'feedshop\.api\.v1' is not registered.*`defaults` in linker\.config\.json/
    })
  })

  t.test(`${mode}: a hub that stored no default takes the interface of its connections`, async t => {
    const packages = [first, newcomer, nextMajor]
    const hub = await buildTestHub(t, { mode, packages, config: { adapters: namesOf(first, nextMajor) } })
    await hub.call('POST', '/connections', { body: { ...body, adapterKey: 'feedshop.api.v2' } })
    await hub.database().query('delete from platform_defaults')

    await hub.restart({ config: { adapters: namesOf(newcomer, first, nextMajor) } })
    t.equal(await keyOfNew(hub.call), 'feedshop.api.v2', 'with two interfaces, the key of the oldest connection')
    await hub.database().query('delete from platform_defaults')
    await hub.restart({ config: { adapters: namesOf(first, nextMajor) } })
    t.equal(await keyOfNew(hub.call), 'feedshop.api.v1', 'with one interface, the key that was the default')
  })
}
