import type { JSX } from 'preact'
import { hub, toPage } from '../../hub/hub.ts'
import { useRows } from '../../hub/live.ts'
import { addressOf } from '../../rules/addresses.ts'
import type { Redrive } from '../../rules/redrives.ts'
import { Empty } from '../../show/loaded.tsx'
import { State } from '../../show/state.tsx'
import { LiveTable } from '../../show/table.tsx'
import { Ago } from '../../show/time.tsx'

/** The redrives, newest first: each ran many dead jobs again. */
export function RedriveList (): JSX.Element {
  const live = useRows(
    async (cursor, signal) => toPage(await hub.request('get', '/redrives', { query: { cursor }, signal })),
    []
  )
  return (
    <section class='card'>
      <LiveTable<Redrive>
        live={live}
        caption='Bulk retries, newest first'
        keyOf={({ id }) => id}
        hrefOf={({ id }) => addressOf.redrive(id)}
        columns={[
          { head: 'Started', cell: ({ startedAt }) => <Ago at={startedAt} /> },
          { head: 'State', cell: ({ state }) => <State name={state} /> },
          { head: 'Jobs', cell: ({ total }) => total, isNumber: true },
          { head: 'Succeeded', cell: ({ succeeded }) => succeeded, isNumber: true },
          { head: 'Dead again', cell: ({ deadAgain }) => deadAgain, isNumber: true },
          { head: 'Not yet run', cell: ({ remaining }) => remaining, isNumber: true },
          { head: 'By', cell: ({ startedBy }) => startedBy.name }
        ]}
        empty={
          <Empty>Nobody has retried many jobs at once yet. A group of dead jobs has the button “Retry all”.</Empty>
        }
      />
    </section>
  )
}
