import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useConnections } from '../hub/connections.ts'
import { hub, toPage } from '../hub/hub.ts'
import { useRows } from '../hub/live.ts'
import { addressOf } from '../rules/addresses.ts'
import { heldOf } from '../rules/sweeps.ts'
import { Filters, useFilter, type FilterField } from '../show/filters.tsx'
import { Icon } from '../show/icon.tsx'
import { Empty } from '../show/loaded.tsx'
import { Page } from '../show/page.tsx'
import { State } from '../show/state.tsx'
import { LiveTable } from '../show/table.tsx'
import { Ago } from '../show/time.tsx'
import { AcceptMissing } from './stock/repair.tsx'
import { StockTabs } from './stock/tabs.tsx'

type Sweep = Schemas['InventorySweep']

/** The sweeps over the stock of the shops; those that wait for a person are on top. */
export default function SweepsPage (): JSX.Element {
  const connections = useConnections()
  const fields: readonly FilterField<'connectionId'>[] = [
    {
      name: 'connectionId',
      label: 'Shop',
      choices: connections.having('InventoryMaster').map(({ id, name }) => [id, name])
    }
  ]
  const filter = useFilter(fields)
  const live = useRows(
    async (cursor, signal) =>
      toPage(await hub.request('get', '/stock/sweeps', { query: { ...filter, cursor }, signal })),
    [JSON.stringify(filter)],
    { everyMs: 2_000 }
  )
  const held = heldOf(live.data ?? [])
  return (
    <Page title='Sweeps' lead='Did the hub read all stock of the shops, and does a sweep wait for a person?'>
      <StockTabs current='sweeps' />
      {held.map(sweep => <Held key={sweep.id} sweep={sweep} name={connections.nameOf(sweep.connectionId)} />)}
      <Filters fields={fields} />
      <section class='card'>
        <LiveTable
          live={live}
          caption='Sweeps, the newest first'
          keyOf={({ id }) => id}
          hrefOf={({ id }) => addressOf.job(id)}
          columns={[
            { head: 'Shop', cell: ({ connectionId }) => connections.nameOf(connectionId) },
            { head: 'State', cell: ({ status }) => <State name={status} /> },
            { head: 'Seen', cell: ({ seen }) => seen, isNumber: true },
            { head: 'Changed', cell: ({ changed }) => changed, isNumber: true },
            { head: 'Missing', cell: ({ missing }) => missing, isNumber: true },
            { head: 'Started', cell: ({ startedAt }) => <Ago at={startedAt} /> },
            { head: 'Ended', cell: ({ finishedAt }) => <Ago at={finishedAt} none='runs' /> },
            { head: 'Problem', cell: ({ problem }) => problem ?? '' }
          ]}
          empty={<Empty>No shop was swept yet. A schedule sweeps each shop, and so does comparing the stock.</Empty>}
        />
      </section>
    </Page>
  )
}

function Held ({ sweep, name }: { sweep: Sweep, name: string }): JSX.Element {
  return (
    <section class='note warn' aria-label={`Held sweep of ${name}`}>
      <Icon name='warning' />
      <div>
        <p>
          <strong>{name}</strong> did not list {sweep.missing} variants{' '}
          <Ago at={sweep.finishedAt} />. The hub does not believe it: no stock became zero. If the variants are really
          gone, accept it.
        </p>
        <p class='actions'>
          <AcceptMissing connectionId={sweep.connectionId} name={name} />
        </p>
      </div>
    </section>
  )
}
