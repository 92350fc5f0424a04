import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { hub } from '../hub/hub.ts'
import { useLive } from '../hub/live.ts'
import { addressOf } from '../rules/addresses.ts'
import { Filters, useFilter, type FilterField } from '../show/filters.tsx'
import { Empty, Loaded } from '../show/loaded.tsx'
import { Page } from '../show/page.tsx'
import { State } from '../show/state.tsx'
import { Table, type Column } from '../show/table.tsx'

type Adapter = Schemas['Adapter']

/** Lists the adapters, and says why one does not serve. */
export default function Adapters (): JSX.Element {
  const live = useLive(signal => hub.get('/adapters', { signal }), [], { everyMs: 15_000 })
  const states = [...new Set(live.data?.map(({ state }) => state))].toSorted()
  const fields: readonly FilterField<'state'>[] = [
    { name: 'state', label: 'State', choices: states.map(state => [state, state] as const) }
  ]
  const { state: wanted } = useFilter(fields)
  return (
    <Page title='Adapters' lead='What is loaded, what may it do, and why does one not serve?'>
      <Filters fields={fields} />
      <section class='card'>
        <Loaded live={live}>
          {adapters => (
            <Table
              caption='The adapters that were found when the hub started'
              rows={adapters.filter(({ state }) => wanted === undefined || state === wanted)}
              keyOf={({ packageName, version }) => `${packageName} ${version ?? ''}`}
              hrefOf={({ adapterKey, packageName, version }) =>
                addressOf.adapter(adapterKey ?? packageName, version ?? '-')}
              columns={columns}
              empty={
                <Empty>
                  {wanted === undefined
                    ? (
                      <>
                        No adapter is installed. <code>linker add &lt;package&gt;</code> installs one.
                      </>
                    )
                    : 'No adapter is in this state.'}
                </Empty>
              }
            />
          )}
        </Loaded>
      </section>
    </Page>
  )
}

const columns: readonly Column<Adapter>[] = [
  { head: 'Adapter', cell: ({ displayName, packageName }) => displayName ?? packageName },
  {
    head: 'Key and version',
    cell: ({ adapterKey, version }) => <code>{adapterKey ?? 'unknown'}@{version ?? 'unknown'}</code>
  },
  {
    head: 'State',
    cell: ({ state, error, warning, changed }) => (
      <>
        <State name={state} />
        {[error?.message, warning, changed?.message].filter(text => text !== undefined).map(text => (
          <div key={text} class='muted small-text'>{text}</div>
        ))}
      </>
    )
  },
  { head: 'Runs', cell: ({ isolation }) => isolation ?? <span class='muted'>not loaded</span> },
  {
    head: 'Conformance',
    cell: ({ conformance }) =>
      conformance === null ? <span class='muted'>no report</span> : `level ${conformance.level ?? '?'}`
  },
  {
    head: 'Default',
    cell: ({ isDefault, platformType }) => isDefault ? `for ${platformType ?? ''}` : ''
  },
  { head: 'Used by', cell: ({ usedBy }) => usedBy, isNumber: true }
]
