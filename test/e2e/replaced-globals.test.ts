import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { ownModules } from '../fixtures/modules.ts'
import { installZoo, patchesInCalls, misbehaves } from '../fixtures/zoo/index.ts'
import { createApi, eventually, type ApiClient } from '../support/api.ts'
import { startHubProcess, type HubProcess } from '../support/hub-process.ts'
import { cheapestMode, openMode } from '../support/modes.ts'
import { makeProject } from '../support/project.ts'

// A call of an adapter replaces a built-in of the thread it runs in: in the hub's own, from then on, every body would be refused.

const admin = 'a-token-of-more-than-thirty-two-characters'
const { name: bad, platformType } = patchesInCalls
const adapter = `${platformType}.api.v1@1.0.0`

interface AdapterView { packageName: string, isolation: string | null }

async function start (t: Test, isolation: 'inline' | 'worker'): Promise<{ hub: HubProcess, call: ApiClient }> {
  const place = await openMode(cheapestMode(process.env), process.env)
  t.teardown(() => place.close())
  const { directory, remove } = await makeProject({ adapters: [{ use: bad, isolation }, misbehaves.name] })
  t.teardown(remove)
  await ownModules(directory)
  await installZoo(directory, [patchesInCalls, misbehaves])
  const hub = await startHubProcess(directory, { ...place.variables, ADMIN_TOKEN: admin })
  t.teardown(() => hub.kill())
  return { hub, call: createApi(hub.url, admin) }
}

async function connect (call: ApiClient, how: string): Promise<string> {
  const { status, text, json } = await call('POST', '/connections', { body: { name: how, platformType, config: { how } } })
  if (status !== 201) throw new Error(text)
  return (json as { id: string }).id
}

async function isolationOf (call: ApiClient, name: string): Promise<string | null | undefined> {
  return ((await call('GET', '/adapters')).json as AdapterView[]).find(({ packageName }) => packageName === name)?.isolation
}

function replaced (hub: HubProcess, name: string): Promise<string> {
  return eventually(`the log to name ${name}`, async () => hub.log.find(line => line.includes(`replaced ${name}`) && line.includes(adapter)))
}

const ways: [how: string, name: string][] = [
  ['parse', 'JSON.parse'], ['stringify', 'JSON.stringify'], ['promise', 'Promise.prototype.then'], ['namespace', 'JSON'], ['accessor', 'Map.prototype.size'], ['new-member', 'Array.prototype.last'], ['later', 'JSON.parse']
]

for (const [how, name] of ways) {
  t.test(`inline, one that does '${how}' is named and moved, and the hub goes on as before`, async t => {
    const { hub, call } = await start(t, 'inline')
    const id = await connect(call, how)
    t.equal(await isolationOf(call, bad), 'inline')
    t.match(await call('POST', `/connections/${id}/test`), { status: 200, json: { success: true, message: `it did ${how}` } })
    if (how === 'later') await sleep(1_500)

    // What is put back is so before the next request.
    if (how !== 'accessor' && how !== 'new-member') t.match(await call('POST', '/connections', { body: { name: 'After it', platformType, config: { how: 'nothing' } } }), { status: 201 })
    t.match(await replaced(hub, name), /they are what they were again/)
    await eventually('the adapter to be moved', async () => await isolationOf(call, bad) === 'worker' ? true : undefined)
    t.equal(await isolationOf(call, misbehaves.name), 'inline', 'no other is moved')

    t.match(await call('POST', `/connections/${id}/test`), { status: 200, json: { success: true } }, 'it goes on serving')
    if (how !== 'later') await eventually('the log to name it in its own thread', async () => hub.log.find(line => line.includes(`replaced ${name} in its own thread`) && line.includes(adapter)))
    t.match(await call('POST', '/connections', { body: { name: 'After it', platformType, config: { how: 'nothing' } } }), { status: 201 })
    t.equal(await hub.stop(), 0)
  })
}

t.test('in a thread of its own it is named, and the hub does not notice', async t => {
  const { hub, call } = await start(t, 'worker')
  t.match(await call('POST', `/connections/${await connect(call, 'parse')}/test`), { status: 200, json: { success: true } })

  t.match(await replaced(hub, 'JSON.parse in its own thread'), /they are what they were again/)
  t.match(await call('POST', '/connections', { body: { name: 'After it', platformType, config: { how: 'nothing' } } }), { status: 201 })
  t.notOk(hub.log.some(line => line.includes('replaced') && line.includes('which belong to everybody')))
  t.equal(await hub.stop(), 0)
})

t.test('what nobody can put back makes the hub start anew, with that adapter in a thread', async t => {
  const { hub, call } = await start(t, 'inline')
  const id = await connect(call, 'for-good')
  await call('POST', `/connections/${id}/test`).catch(() => undefined)

  const again = createApi(await hub.nextUrl(), admin)
  t.equal(await isolationOf(again, bad), 'worker')
  t.equal(await isolationOf(again, misbehaves.name), 'inline')
  t.ok(hub.log.some(line => line.includes('starts anew') && line.includes('it replaced Math.max for good')), 'the log says why')
  t.match(await again('POST', `/connections/${id}/test`), { status: 200 })
  t.equal(await hub.stop(), 0)
})
