import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { hub } from '../../hub/hub.ts'
import { useLive } from '../../hub/live.ts'
import { addressOf } from '../../rules/addresses.ts'
import { pinText } from '../../rules/moves.ts'
import { compareVersions } from '../../rules/versions.ts'
import { Loaded } from '../../show/loaded.tsx'
import { Section } from '../../show/page.tsx'
import { State } from '../../show/state.tsx'
import { Table } from '../../show/table.tsx'
import { Ago } from '../../show/time.tsx'
import { MoveButton, RollBackButton } from './moving.tsx'
import type { Read } from './read.ts'
import { Watch } from './watch.tsx'

type Adapter = Schemas['Adapter']

/** Which version serves the connection, and what another one would do. */
export function AdapterTab (props: Read): JSX.Element {
  const { connection: { id } } = props
  const moves = useLive(signal => hub.get('/connections/{id}/adapter/moves', { path: { id }, signal }), [id])
  const [last] = moves.data ?? []
  return (
    <>
      {last !== undefined && <Watch connection={props.connection} last={last} />}
      <Versions {...props} />
      <Section
        title='History'
        actions={last !== undefined && last.rolledBackAt === null && <RollBackButton {...props} />}
      >
        <Loaded live={moves}>{found => <History moves={found} />}</Loaded>
      </Section>
    </>
  )
}

function Versions (props: Read): JSX.Element {
  const { connection, adapters } = props
  const { platformType, adapterKey, adapterVersion } = connection
  const rows = adapters.filter(adapter => adapter.platformType === platformType).toSorted((a, b) =>
    (b.adapterKey ?? '').localeCompare(a.adapterKey ?? '') || compareVersions(b.version ?? '', a.version ?? '')
  )
  const isPresent = (adapter: Adapter): boolean =>
    adapter.adapterKey === adapterKey && adapter.version === adapterVersion
  return (
    <Section title='Installed versions'>
      <Table
        caption={`The connection is pinned to ${pinText(connection)}`}
        rows={rows}
        keyOf={({ packageName, version }) => `${packageName} ${version ?? ''}`}
        hrefOf={({ adapterKey: key, version }) => addressOf.adapter(key ?? '', version ?? '')}
        columns={[
          { head: 'Version', cell: adapter => `${adapter.adapterKey ?? ''}@${adapter.version ?? ''}` },
          { head: 'State', cell: ({ state }) => <State name={state} /> },
          { head: 'Capabilities', cell: ({ supportedCapabilities }) => supportedCapabilities.join(', ') },
          { head: 'Conformance', cell: ({ conformance }) => conformance?.level ?? <span class='muted'>none</span> },
          {
            head: 'Move',
            cell: adapter =>
              isPresent(adapter)
                ? 'serves this connection'
                : adapter.isolation === null
                ? <span class='muted'>not loaded</span>
                : <MoveButton {...props} adapter={adapter} />
          }
        ]}
        empty={<p class='muted'>No version of an adapter for this platform is installed.</p>}
      />
    </Section>
  )
}

function History ({ moves }: { moves: readonly Schemas['PastMove'][] }): JSX.Element {
  return (
    <Table
      caption='The last moves to another version, newest first'
      rows={moves}
      keyOf={({ id }) => id}
      columns={[
        { head: 'When', cell: ({ movedAt }) => <Ago at={movedAt} /> },
        { head: 'From', cell: ({ from }) => <code>{pinText(from)}</code> },
        { head: 'To', cell: ({ to }) => to === null ? 'not known' : <code>{pinText(to)}</code> },
        { head: 'By', cell: ({ movedBy }) => movedBy?.name ?? 'not known' },
        { head: 'Rolled back', cell: ({ rolledBackAt }) => <Ago at={rolledBackAt} none='no' /> }
      ]}
      empty={<p class='muted'>The connection was never moved. Each move is listed here, with its way back.</p>}
    />
  )
}
