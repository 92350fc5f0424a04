import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { hub, toPage } from '../hub/hub.ts'
import { useLive, useRows } from '../hub/live.ts'
import { may } from '../hub/session.ts'
import { addressOf } from '../rules/addresses.ts'
import { shownStatus } from '../rules/connection-status.ts'
import { platformsOf } from '../rules/platforms.ts'
import { newerVersion } from '../rules/versions.ts'
import { Filters, useFilter, type FilterField } from '../show/filters.tsx'
import { LastDay } from '../show/last-day.tsx'
import { Empty } from '../show/loaded.tsx'
import { Page } from '../show/page.tsx'
import { State } from '../show/state.tsx'
import { LiveTable, type Column } from '../show/table.tsx'
import { Ago } from '../show/time.tsx'
import { PauseButton, ResumeButton } from './connection/pausing.tsx'
import { useTest } from './connection/test-button.tsx'

type Health = Schemas['ConnectionHealth']
type Adapters = readonly Schemas['Adapter'][]
type Status = Health['status'] & ('active' | 'disabled' | 'error')

/** Which accounts are connected, and whether they are well. */
export default function Connections (): JSX.Element {
  const adapters = useLive(signal => hub.get('/adapters', { signal }), [], { everyMs: 60_000 }).data ?? []
  const fields: readonly FilterField<'platformType' | 'status'>[] = [
    {
      name: 'platformType',
      label: 'Platform',
      choices: platformsOf(adapters).map(({ platformType, name }) => [platformType, name] as const)
    },
    { name: 'status', label: 'Status', choices: [['active', 'active'], ['disabled', 'disabled'], ['error', 'error']] }
  ]
  const { platformType, status } = useFilter(fields)
  const live = useRows(async (cursor, signal) =>
    toPage(await hub.request('get', '/connections/health', {
      query: { platformType, status: status as Status | undefined, cursor },
      signal
    })), [platformType, status])
  const isFiltered = platformType !== undefined || status !== undefined
  return (
    <Page
      title='Connections'
      lead='Which accounts are connected, and are they well?'
      actions={may('admin') && <a class='button primary' href='/console/connections/new'>New connection</a>}
    >
      <Filters fields={fields} />
      <section class='card'>
        <LiveTable
          live={live}
          caption='Connections with their last success and what waits'
          keyOf={({ id }) => id}
          hrefOf={({ id }) => addressOf.connection(id)}
          columns={columns(adapters)}
          empty={isFiltered
            ? <Empty>No connection fits this filter.</Empty>
            : (
              <Empty
                action={may('admin') && <a class='button primary' href='/console/connections/new'>Connect your shop</a>}
              >
                No account is connected yet. Begin with the shop, because it holds the products and the stock; then
                connect a marketplace.
              </Empty>
            )}
        />
      </section>
    </Page>
  )
}

function columns (adapters: Adapters): readonly Column<Health>[] {
  return [
    { head: 'Connection', cell: ({ name }) => name },
    { head: 'State', cell: health => <Standing health={health} /> },
    { head: 'Adapter', cell: health => <Version health={health} adapters={adapters} /> },
    { head: 'Last success', cell: ({ lastSuccessAt }) => <Ago at={lastSuccessAt} /> },
    {
      head: 'Last failure',
      cell: ({ lastFailureAt, lastFailureCode }) =>
        lastFailureAt === null
          ? <span class='muted'>none</span>
          : (
            <>
              <Ago at={lastFailureAt} /> <code>{lastFailureCode}</code>
            </>
          )
    },
    { head: 'Waiting', cell: ({ waiting }) => waiting, isNumber: true },
    {
      head: 'Dead',
      cell: ({ id, dead }) => dead === 0 ? 0 : <a href={`/console/jobs?connectionId=${id}&status=dead`}>{dead}</a>,
      isNumber: true
    },
    { head: 'Last 24 h', cell: health => <LastDay {...health} /> },
    ...may('operate') ? [{ head: 'Actions', cell: (health: Health) => <Actions health={health} /> }] : []
  ]
}

function Actions ({ health }: { health: Health }): JSX.Element {
  const [test] = useTest(health)
  return (
    <div class='actions'>
      {health.status === 'active' && test}
      {health.pauses.length === 0 ? <PauseButton connection={health} /> : <ResumeButton connection={health} />}
    </div>
  )
}

function Standing ({ health }: { health: Health }): JSX.Element {
  const { statusReason, pauses, breaker } = health
  const reasons = [
    statusReason,
    ...pauses.map(({ capability, reason }) => [capability, reason].filter(part => part !== null).join(': ')),
    breaker === null ? null : 'The platform fails, so the hub does not call it.'
  ].filter(reason => reason !== null && reason !== '')
  return (
    <>
      <State name={shownStatus(health)} />
      {reasons.map(reason => <div key={reason} class='muted small-text'>{reason}</div>)}
    </>
  )
}

function Version ({ health: { id, adapterKey, adapterVersion }, adapters }: {
  health: Health,
  adapters: Adapters
}): JSX.Element {
  const newer = newerVersion({ adapterKey, version: adapterVersion }, adapters)
  return (
    <>
      <code>{adapterKey}@{adapterVersion ?? 'latest'}</code>
      {newer !== undefined && (
        <div class='small-text'>
          <a href={`${addressOf.connection(id)}/adapter`}>{newer} is installed</a>
        </div>
      )}
    </>
  )
}
