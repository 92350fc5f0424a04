import type { JSX } from 'preact'
import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { nowMs } from '../hub/clock.ts'
import { useConnections } from '../hub/connections.ts'
import { hub, toPage } from '../hub/hub.ts'
import { useRows } from '../hub/live.ts'
import { addressOf } from '../rules/addresses.ts'
import { nameOfEvent, reasonOfDelivery, type Delivery } from '../rules/deliveries.ts'
import { readFilter } from '../rules/filters.ts'
import { Filters } from '../show/filters.tsx'
import { Empty } from '../show/loaded.tsx'
import { Page } from '../show/page.tsx'
import { State } from '../show/state.tsx'
import { LiveTable } from '../show/table.tsx'
import { Ago } from '../show/time.tsx'
import { ToConnection } from '../show/to-connection.tsx'
import { fieldsOf, filterNames, toApi } from './deliveries/filter.ts'
import { Refused } from './deliveries/refused.tsx'
import { ReplayMatching } from './deliveries/replay-matching.tsx'

/** The webhook deliveries that the hub accepted, and the ends of their jobs. */
export default function Deliveries (): JSX.Element {
  const connections = useConnections()
  const { query } = useLocation()
  const [showsAll, setShowsAll] = useState(false)
  const filter = readFilter(query, filterNames)
  const isFiltered = Object.keys(filter).length > 0
  const live = useRows(
    async (cursor, signal) =>
      toPage(await hub.request('get', '/webhook-deliveries', { query: { ...toApi(filter, nowMs()), cursor }, signal })),
    [JSON.stringify(filter)]
  )

  return (
    <Page
      title='Deliveries'
      lead='Did the shop tell us, and what became of it?'
      actions={isFiltered && <ReplayMatching filter={filter} />}
    >
      <Filters fields={fieldsOf(connections.all, name => showsAll || filter[name] !== undefined)}>
        {!showsAll && <button type='button' class='small' onClick={() => setShowsAll(true)}>More filters</button>}
      </Filters>
      <section class='card jobs'>
        <LiveTable<Delivery>
          live={live}
          caption='Accepted deliveries, newest first'
          keyOf={({ id }) => id}
          hrefOf={({ id }) => addressOf.delivery(id)}
          columns={[
            { head: 'Event', cell: nameOfEvent },
            { head: 'Object', cell: ({ externalId }) => externalId },
            { head: 'Connection', cell: ({ connectionId }) => <ToConnection id={connectionId} of={connections} /> },
            { head: 'Job', cell: ({ status }) => <State name={status} /> },
            { head: 'Recorded', cell: ({ createdAt }) => <Ago at={createdAt} /> },
            {
              head: 'Last replay',
              cell: ({ lastReplay }) => lastReplay === null ? undefined : <State name={lastReplay.status} />
            },
            { head: 'Reason', cell: reasonOfDelivery }
          ]}
          empty={
            <Empty action={<a class='button' href='/console/connections'>Connections</a>}>
              {isFiltered
                ? 'The part that the hub looked through has no delivery of this filter.'
                : 'No delivery was accepted yet. A shop delivers when its webhooks are installed; the page of a ' +
                  'connection says whether they are.'}
            </Empty>
          }
        />
      </section>
      <Refused connections={connections} connectionId={filter.connectionId} />
    </Page>
  )
}
