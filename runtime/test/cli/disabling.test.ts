import t from 'tap'
import { readDisablings } from '../../src/cli/disabling.ts'
import type { HubClient, ListQuery } from '../../src/cli/hub-client.ts'

const entry = (connectionId: string, name: string, hour: number, to = 'disabled', action = 'connection.disable') => ({
  connectionId,
  action,
  actor: { kind: 'token', name, tokenId: null },
  createdAt: `2026-01-31T${hour}:00:00.000Z`,
  changes: [{ pointer: '/status', to }]
})

/** A hub whose audit has these entries, newest first. */
function hubWith (...entries: ReturnType<typeof entry>[]): HubClient & { asked: (ListQuery | undefined)[] } {
  const asked: (ListQuery | undefined)[] = []
  return {
    asked,
    url: 'http://127.0.0.1:3000',
    call: () => Promise.reject(new Error('not asked')),
    async list (_path, query) {
      asked.push(query)
      return entries.filter(({ connectionId, action }) =>
        (query?.connectionId ?? connectionId) === connectionId && (query?.action ?? action) === action
      )
    }
  }
}

t.test('the last time that a connection was disabled counts', async t => {
  const hub = hubWith(entry('a', 'ada', 12), entry('other', 'eve', 11), entry('a', 'bob', 10))
  const found = await readDisablings(hub, [{ id: 'a', status: 'disabled' }, { id: 'b', status: 'disabled' }])

  t.strictSame([...found], [['a', 'by ada at 2026-01-31T12:00:00.000Z']])
})

t.test('a change of another name may disable a connection, too', async t => {
  const hub = hubWith(
    { ...entry('a', 'eve', 15), changes: [{ pointer: '/name', to: 'disabled' }] },
    entry('a', 'ada', 14, 'disabled', 'connection.move'),
    entry('b', 'cyd', 13),
    entry('a', 'eve', 12, 'active', 'connection.enable'),
    entry('a', 'bob', 11)
  )
  const found = await readDisablings(hub, [{ id: 'a', status: 'disabled' }, { id: 'b', status: 'disabled' }])

  t.strictSame([...found], [
    ['a', 'by ada at 2026-01-31T14:00:00.000Z'],
    ['b', 'by cyd at 2026-01-31T13:00:00.000Z']
  ])
})

t.test('a connection that was enabled again is not disabled, and the audit is not asked for it', async t => {
  const hub = hubWith(entry('a', 'ada', 12))

  t.strictSame([...await readDisablings(hub, [{ id: 'a', status: 'active' }])], [])
  t.strictSame(hub.asked, [])
})
