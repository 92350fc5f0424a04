import type { JSX } from 'preact'
import { useLocation } from 'preact-iso/router'
import { nowMs } from '../hub/clock.ts'
import { useConnections, type Connection } from '../hub/connections.ts'
import { hub, toPage } from '../hub/hub.ts'
import { useRows } from '../hub/live.ts'
import { addressOf } from '../rules/addresses.ts'
import { addressOfEntry, mayLeadToJobs, nameOfObject, type AuditEntry } from '../rules/audit.ts'
import { readFilter } from '../rules/filters.ts'
import { pastForms, timeOf } from '../rules/past.ts'
import { Filters, type FilterField } from '../show/filters.tsx'
import { Empty } from '../show/loaded.tsx'
import { Page } from '../show/page.tsx'
import { LiveTable } from '../show/table.tsx'
import { At } from '../show/time.tsx'
import { ToConnection } from '../show/to-connection.tsx'
import { Changes } from './audit/changes.tsx'

type Name = 'actor' | 'action' | 'objectId' | 'connectionId' | 'since'

const names: readonly Name[] = ['actor', 'action', 'objectId', 'connectionId', 'since']

function fieldsOf (connections: readonly Connection[]): FilterField<Name>[] {
  return [
    { name: 'actor', label: 'Who', placeholder: 'name of a token' },
    { name: 'action', label: 'Action', placeholder: 'connection.pause' },
    { name: 'objectId', label: 'Object id' },
    { name: 'connectionId', label: 'Connection', choices: connections.map(({ id, name }) => [id, name] as const) },
    { name: 'since', label: 'Since', placeholder: pastForms }
  ]
}

/** Who changed what, with the values before and after. */
export default function Audit (): JSX.Element {
  const connections = useConnections()
  const filter = readFilter(useLocation().query, names)
  const live = useRows(async (cursor, signal) =>
    toPage(await hub.request('get', '/audit', {
      query: { ...filter, since: timeOf(filter.since, nowMs()), cursor },
      signal
    })), [JSON.stringify(filter)])

  return (
    <Page
      title='Audit'
      lead='Who did it? Every change by a person, an adapter or the hub itself. Secrets are left out.'
    >
      <Filters fields={fieldsOf(connections.all)} />
      <section class='card jobs'>
        <LiveTable<AuditEntry>
          live={live}
          caption='Changes, newest first'
          keyOf={({ id }) => id}
          columns={[
            { head: 'Action', cell: entry => <ActionOf entry={entry} /> },
            { head: 'Who', cell: ({ actor }) => actor.name },
            { head: 'Object', cell: nameOfObject },
            {
              head: 'Connection',
              cell: ({ connectionId, objectId }) =>
                connectionId === null || connectionId === objectId
                  ? undefined
                  : <ToConnection id={connectionId} of={connections} />
            },
            { head: 'When', cell: ({ createdAt }) => <At at={createdAt} /> },
            { head: 'Before and after', cell: ({ changes }) => <Changes of={changes} /> },
            {
              head: 'Led to',
              cell: entry => mayLeadToJobs(entry) && <a href={addressOf.trace(entry.requestId ?? '')}>trace</a>
            }
          ]}
          empty={
            <Empty>
              {Object.keys(filter).length > 0
                ? 'No change meets this filter.'
                : 'Nobody has changed anything yet, or it was so long ago that the audit no longer has it.'}
            </Empty>
          }
        />
      </section>
    </Page>
  )
}

function ActionOf ({ entry }: { entry: AuditEntry }): JSX.Element {
  const href = addressOfEntry(entry)
  return href === undefined ? <strong>{entry.action}</strong> : <a class='row' href={href}>{entry.action}</a>
}
