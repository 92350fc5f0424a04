import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { hub } from '../../hub/hub.ts'
import { useLive } from '../../hub/live.ts'
import { addressOf } from '../../rules/addresses.ts'
import { shownStatus } from '../../rules/connection-status.ts'
import { Loaded } from '../../show/loaded.tsx'
import { Section } from '../../show/page.tsx'
import { State } from '../../show/state.tsx'
import { Table } from '../../show/table.tsx'

const most = 200

/** The connections of the same adapter key; a pin may be a range that this version serves. */
export function UsedBy ({ adapter: { adapterKey, platformType, usedBy } }: {
  adapter: Schemas['Adapter']
}): JSX.Element | null {
  const live = useLive(
    async signal => {
      if (platformType === null) return []
      const found = await hub.get('/connections', { query: { platformType, limit: most }, signal })
      return found.filter(connection => connection.adapterKey === adapterKey)
    },
    [platformType ?? '', adapterKey ?? ''],
    { everyMs: 15_000 }
  )
  return (
    <Section title='Used by'>
      <p class='muted'>
        {usedBy === 1 ? '1 connection uses' : `${usedBy} connections use`}{' '}
        this version. Below are the connections of all versions of this adapter.
      </p>
      <Loaded live={live}>
        {connections => (
          <Table
            caption='Connections of this adapter, with the version that each is pinned to'
            rows={connections}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => `${addressOf.connection(id)}/adapter`}
            columns={[
              { head: 'Connection', cell: ({ name }) => name },
              { head: 'State', cell: connection => <State name={shownStatus(connection)} /> },
              { head: 'Pinned to', cell: ({ adapterVersion }) => <code>{adapterVersion ?? 'latest'}</code> }
            ]}
            empty={<p class='muted'>No connection uses this adapter.</p>}
          />
        )}
      </Loaded>
    </Section>
  )
}
