import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { addressOf } from '../../rules/addresses.ts'
import { stateOf } from '../../rules/connection-state.ts'
import { LastDay } from '../../show/last-day.tsx'
import { Section } from '../../show/page.tsx'
import { State } from '../../show/state.tsx'
import { Table } from '../../show/table.tsx'
import { Ago } from '../../show/time.tsx'

type Health = Schemas['ConnectionHealth']

/** A row for each account, with the last 24 hours of its jobs. */
export function Connections ({ rows }: { rows: readonly Health[] }): JSX.Element {
  return (
    <Section title='Connections' actions={<a class='button' href='/console/connections/new'>New connection</a>}>
      <Table
        caption='The line shows the jobs of the last 24 hours; a second, red line shows runs that failed'
        rows={rows}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => addressOf.connection(id)}
        columns={[
          { head: 'Connection', cell: ({ name }) => name },
          { head: 'Platform', cell: ({ platformType }) => platformType },
          { head: 'State', cell: health => <State {...stateOf(health)} /> },
          { head: 'Last success', cell: ({ lastSuccessAt }) => <Ago at={lastSuccessAt} /> },
          { head: 'Waiting', cell: ({ waiting }) => waiting, isNumber: true },
          { head: 'Dead', cell: ({ dead }) => dead, isNumber: true },
          { head: 'Last 24 h', cell: health => <LastDay {...health} /> }
        ]}
        empty={null}
      />
    </Section>
  )
}
