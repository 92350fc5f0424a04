import t from 'tap'
import { readDisablings } from '../../src/cli/disabling.ts'
import type { HubClient } from '../../src/cli/hub-client.ts'

const entry = (connectionId: string, name: string, hour: number) => ({
  connectionId,
  actor: { kind: 'token', name, tokenId: null },
  createdAt: `2026-01-31T${hour}:00:00.000Z`
})

function hubWith (...entries: object[]): HubClient {
  return {
    url: 'http://127.0.0.1:3000',
    call: () => Promise.reject(new Error('not asked')),
    list: async () => entries
  }
}

t.test('the last time that a connection was disabled counts', async t => {
  const hub = hubWith(entry('a', 'ada', 12), entry('other', 'eve', 11), entry('a', 'bob', 10))
  const found = await readDisablings(hub, [{ id: 'a', status: 'disabled' }, { id: 'b', status: 'disabled' }])

  t.strictSame([...found], [['a', 'by ada at 2026-01-31T12:00:00.000Z']])
})

t.test('a connection that was enabled again is not disabled', async t => {
  t.strictSame([...await readDisablings(hubWith(entry('a', 'ada', 12)), [{ id: 'a', status: 'active' }])], [])
})
