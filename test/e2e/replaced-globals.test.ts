import t, { type Test } from 'tap'
import { ownModules } from '../fixtures/modules.ts'
import {
  installPatching,
  installZoo,
  misbehaves,
  patchesInCalls,
  type InstalledAdapter
} from '../fixtures/zoo/index.ts'
import { createApi, eventually, type Answer, type ApiClient } from '../support/api.ts'
import { startHubProcess, type HubProcess } from '../support/hub-process.ts'
import { cheapestMode, openMode } from '../support/modes.ts'
import { makeProject } from '../support/project.ts'

// A call of an adapter replaces a built-in of its thread. In the hub's own thread, the hub would
// from then on refuse every body.

const admin = 'a-token-of-more-than-thirty-two-characters'

interface AdapterView {
  packageName: string
  isolation: string | null
}
type Isolation = 'inline' | 'worker'
interface Running {
  hub: HubProcess
  call: ApiClient
  patching: InstalledAdapter[]
}

/** A hub with one adapter for each of these ways, and one that replaces nothing. */
async function start (t: Test, isolation: Isolation, ways: readonly string[]): Promise<Running> {
  const place = await openMode(cheapestMode(process.env), process.env)
  t.teardown(() => place.close())
  const names = ways.map(how => `${patchesInCalls.name}-${how}`)
  const { directory, remove } = await makeProject({
    adapters: [...names.map(use => ({ use, isolation })), misbehaves.name]
  })
  t.teardown(remove)
  await ownModules(directory)
  await installZoo(directory, [misbehaves])
  const patching = await installPatching(directory, ways)
  const hub = await startHubProcess(directory, { ...place.variables, ADMIN_TOKEN: admin })
  t.teardown(() => hub.kill())
  return { hub, call: createApi(hub.url, admin), patching }
}

function create (call: ApiClient, { platformType }: InstalledAdapter, how: string): Promise<Answer> {
  return call('POST', '/connections', { body: { name: how, platformType, config: { how } } })
}

async function connect (call: ApiClient, adapter: InstalledAdapter, how: string): Promise<string> {
  const { status, text, json } = await create(call, adapter, how)
  if (status !== 201) throw new Error(text)
  return (json as { id: string }).id
}

async function isolationOf (call: ApiClient, name: string): Promise<string | null | undefined> {
  const adapters = (await call('GET', '/adapters')).json as AdapterView[]
  return adapters.find(({ packageName }) => packageName === name)?.isolation
}

function replaced (hub: HubProcess, name: string, { adapter }: InstalledAdapter): Promise<string> {
  return eventually(`the log to name ${name}`, async () => {
    return hub.log.find(line => line.includes(`replaced ${name}`) && line.includes(adapter))
  })
}

const inline: readonly { how: string, name: string }[] = [
  { how: 'parse', name: 'JSON.parse' },
  { how: 'stringify', name: 'JSON.stringify' },
  { how: 'promise', name: 'Promise.prototype.then' },
  { how: 'namespace', name: 'JSON' },
  { how: 'accessor', name: 'Map.prototype.size' },
  { how: 'new-member', name: 'Array.prototype.last' },
  { how: 'later', name: 'JSON.parse' }
]

/** All adapters share a hub, which must go on as before after each of them. */
t.test('adapters that run inline', async t => {
  const { hub, call, patching } = await start(t, 'inline', inline.map(({ how }) => how))

  for (const [index, { how, name }] of inline.entries()) {
    const one = patching[index]
    if (one === undefined) throw new Error(`no adapter for ${how}`)
    t.test(`an adapter that does '${how}' is named and moved, and the hub goes on as before`, async t => {
      const id = await connect(call, one, how)
      t.equal(await isolationOf(call, one.name), 'inline')
      const message = `it did ${how}`
      t.match(await call('POST', `/connections/${id}/test`), { status: 200, json: { success: true, message } })
      if (how === 'later') await replaced(hub, name, one)

      // The hub puts the built-in back before the next request.
      const isHarmless = how === 'accessor' || how === 'new-member'
      if (!isHarmless) t.match(await create(call, one, 'nothing'), { status: 201 })
      t.match(await replaced(hub, name, one), /the hub restored them/)
      await eventually(
        'the adapter to be moved',
        async () => await isolationOf(call, one.name) === 'worker' ? true : undefined
      )
      t.equal(await isolationOf(call, misbehaves.name), 'inline', 'no other is moved')
      for (const next of patching.slice(index + 1)) t.equal(await isolationOf(call, next.name), 'inline', next.name)

      t.match(
        await call('POST', `/connections/${id}/test`),
        { status: 200, json: { success: true } },
        'it goes on serving'
      )
      if (how !== 'later') await replaced(hub, `${name} in its own thread`, one)
      t.match(await create(call, one, 'nothing'), { status: 201 })
    })
  }

  t.test('the hub then stops as always', async t => {
    t.equal(await hub.stop(), 0)
  })
})

t.test('an adapter in a thread of its own is named, and the hub does not notice', async t => {
  const { hub, call, patching: [one] } = await start(t, 'worker', ['parse'])
  if (one === undefined) throw new Error('no adapter')
  const id = await connect(call, one, 'parse')
  t.match(await call('POST', `/connections/${id}/test`), { status: 200, json: { success: true } })

  t.match(await replaced(hub, 'JSON.parse in its own thread', one), /they were restored/)
  t.match(await create(call, one, 'nothing'), { status: 201 })
  t.notOk(hub.log.some(line => line.includes('replaced') && line.includes('which all code of the process shares')))
  t.equal(await hub.stop(), 0)
})

t.test('a global that nobody can put back makes the hub start anew, with that adapter in a thread', async t => {
  const { hub, call, patching: [one] } = await start(t, 'inline', ['for-good'])
  if (one === undefined) throw new Error('no adapter')
  const id = await connect(call, one, 'for-good')
  await call('POST', `/connections/${id}/test`).catch(() => undefined)

  const again = createApi(await hub.nextUrl(), admin)
  t.equal(await isolationOf(again, one.name), 'worker')
  t.equal(await isolationOf(again, misbehaves.name), 'inline')
  const reason = 'it replaced Math.max'
  t.ok(hub.log.some(line => line.includes('the hub restarts') && line.includes(reason)), 'the log says why')
  t.match(await again('POST', `/connections/${id}/test`), { status: 200 })
  t.equal(await hub.stop(), 0)
})
