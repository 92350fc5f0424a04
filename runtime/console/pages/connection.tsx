import type { JSX } from 'preact'
import { useLocation, useRoute } from 'preact-iso/router'
import { hub } from '../hub/hub.ts'
import { useLive, type Live } from '../hub/live.ts'
import { shownStatus } from '../rules/connection-status.ts'
import { tabsOf, type Tab } from '../rules/connection-tabs.ts'
import { Icon } from '../show/icon.tsx'
import { Empty, Loaded } from '../show/loaded.tsx'
import { Page } from '../show/page.tsx'
import { State } from '../show/state.tsx'
import { readConnection, type Read } from './connection/read.ts'
import { TakeOver } from './connection/take-over.tsx'

type View = (props: Read) => JSX.Element

/** Each tab is loaded when somebody first opens it. */
const views: Readonly<Record<Tab, () => Promise<View>>> = {
  overview: async () => (await import('./connection/overview.tsx')).Overview,
  settings: async () => (await import('./connection/settings.tsx')).Settings,
  adapter: async () => (await import('./connection/adapter-tab.tsx')).AdapterTab,
  webhooks: async () => (await import('./connection/webhooks.tsx')).Webhooks,
  schedules: async () => (await import('./connection/schedules.tsx')).Schedules,
  routing: async () => (await import('./connection/routing.tsx')).Routing
}

/** One connection: how it is, and everything that an operator does with it. */
export default function ConnectionPage (): JSX.Element {
  const { params: { id = '', tab } } = useRoute()
  const live = useLive(signal => read(id, signal), [id])
  const { data } = live
  const chosen = Object.hasOwn(views, tab ?? '') ? tab as Tab : 'overview'
  const view = useView(chosen)
  return (
    <Page
      key={id}
      title={data?.connection.name ?? 'Connection'}
      lead={data === undefined ? undefined : <Lead {...data} />}
      above={[['Connections', '/console/connections']]}
    >
      <Loaded live={live}>
        {found => (
          <>
            <nav class='tabs' aria-label='Parts of the connection'>
              {tabsOf(found.connection, found.adapters).map(([name, label]) => (
                <a
                  key={name}
                  href={`/console/connections/${id}${name === 'overview' ? '' : `/${name}`}`}
                  aria-current={name === chosen ? 'page' : undefined}
                >
                  {label}
                </a>
              ))}
            </nav>
            <Authorised />
            <TakeOver connection={found.connection} />
            {tabsOf(found.connection, found.adapters).some(([name]) => name === chosen)
              ? <Loaded live={view}>{({ View }) => <View key={chosen} {...found} />}</Loaded>
              : <Empty>The adapter of this connection has nothing for this page.</Empty>}
          </>
        )}
      </Loaded>
    </Page>
  )
}

async function read (id: string, signal: AbortSignal): Promise<Read> {
  const [found, adapters] = await Promise.all([readConnection(id, signal), hub.get('/adapters', { signal })])
  return { ...found, adapters }
}

function Lead ({ connection: { status, pauses, platformType, adapterKey, adapterVersion } }: Read): JSX.Element {
  return (
    <>
      <State name={shownStatus({ status, pauses })} /> {platformType} ·{' '}
      <code>{adapterKey}@{adapterVersion ?? 'latest'}</code>
    </>
  )
}

/** The name of the tab tells two views apart, because functions have no JSON to compare. */
function useView (tab: Tab): Live<{ tab: Tab, View: View }> {
  return useLive(async () => ({ tab, View: await views[tab]() }), [tab], { everyMs: 0 })
}

/** The browser comes back here from the page of the platform. */
function Authorised (): JSX.Element | null {
  const { path, query, route } = useLocation()
  if (query.authorised === undefined && query.connectionId === undefined) return null
  return (
    <output class='note good'>
      <Icon name='ok' />
      <span>
        <strong>The account is authorised.</strong> Test the connection to see that it works.{' '}
        <button type='button' class='small' onClick={() => route(path, true)}>Close</button>
      </span>
    </output>
  )
}
