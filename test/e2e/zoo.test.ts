import t from 'tap'
import { ownModules } from '../fixtures/modules.ts'
import { installZoo, zoo } from '../fixtures/zoo/index.ts'
import { createApi } from '../support/api.ts'
import { startHubProcess } from '../support/hub-process.ts'
import { cheapestMode, openMode } from '../support/modes.ts'
import { adapterPackages, makeProject } from '../support/project.ts'

const admin = 'a-token-of-more-than-thirty-two-characters'

interface AdapterView {
  packageName: string
  state: string
  isolation: string | null
  error?: { code: string, message: string }
}

for (const isolation of ['inline', 'worker'] as const) {
  t.test(`good adapters serve beside a zoo of bad ones, and each bad one is named, all ${isolation}`, async t => {
    const place = await openMode(cheapestMode(process.env), process.env)
    t.teardown(() => place.close())
    const { directory, remove } = await makeProject({
      adapters: [...adapterPackages, ...zoo.map(({ name }) => name)].map(use => ({ use, isolation }))
    })
    t.teardown(remove)
    await ownModules(directory)
    await installZoo(directory, zoo)
    const hub = await startHubProcess(directory, { ...place.variables, ADMIN_TOKEN: admin })
    t.teardown(() => hub.kill())
    const call = createApi(hub.url, admin)

    t.equal((await call('GET', '/readyz')).status, 200)
    const adapters = (await call('GET', '/adapters')).json as AdapterView[]
    for (const { name, expected } of zoo) {
      const { state, error } = adapters.find(({ packageName }) => packageName === name) ?? {}
      t.strictSame({ state, code: error?.code }, expected, `${name}: ${error?.message}`)
      t.match(error?.message, name, 'the message names the package or its folder')
    }
    for (const name of adapterPackages) {
      t.match(adapters.find(({ packageName }) => packageName === name), { state: 'ready', isolation })
    }
    const created = await call('POST', '/connections', {
      body: {
        name: 'A shop',
        platformType: 'shopa',
        credentials: { apiUrl: 'http://127.0.0.1:9/api', apiKey: 'a'.repeat(32) }
      }
    })
    t.equal(created.status, 201, created.text)
    t.equal(await hub.stop(), 0)
  })
}
