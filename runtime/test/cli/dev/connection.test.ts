import t from 'tap'
import { openDevConnections } from '../../../src/cli/dev/connection.ts'
import type { HubClient } from '../../../src/cli/hub-client.ts'
import { fakeAdapter } from '../../connections/support.ts'

t.test('a change of the platform settings asks for a restart, because the hub has those of its start', async t => {
  const answers: Record<string, unknown> = {
    'POST /connections': { id: 'id-1' },
    'POST /connections/id-1/test': { success: true, message: 'fits' }
  }
  const hub: HubClient = {
    url: 'http://127.0.0.1:3000',
    list: async () => [],
    call: async (method, path) => answers[`${method} ${path}`]
  }
  const { follow } = openDevConnections(hub, { region: 'eu' })

  t.strictSame(await follow(fakeAdapter(), { platform: { region: 'eu' } }), ['connection dev (id-1): ok  fits'])
  const restart = ['`platform` of the settings has changed: restart for `platform`']
  t.strictSame(await follow(fakeAdapter(), { platform: { region: 'us' } }), restart)
  t.strictSame(await follow(fakeAdapter(), {}), restart)
})
