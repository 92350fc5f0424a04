import type { JSX } from 'preact'
import { useLocation, useRoute } from 'preact-iso/router'
import { useEffect } from 'preact/hooks'
import { hub } from '../hub/hub.ts'
import { useLive } from '../hub/live.ts'
import { addressOf } from '../rules/addresses.ts'
import { extrasOf } from '../rules/links.ts'
import { doingsOf, platformsOf, type Platform } from '../rules/platforms.ts'
import { Icon } from '../show/icon.tsx'
import { Empty, Loaded } from '../show/loaded.tsx'
import { Page } from '../show/page.tsx'

const above = [['Connections', '/console/connections']] as const

/** How to connect a shop or a marketplace: first which platform, then its form. */
export default function NewConnection (): JSX.Element {
  const { params: { platform } } = useRoute()
  const live = useLive(signal => hub.get('/adapters', { signal }), [], { everyMs: 0 })
  if (platform === undefined) {
    return (
      <Page title='New connection' lead='Which platform do you connect?' above={above}>
        <Loaded live={live}>{adapters => <Cards platforms={platformsOf(adapters)} />}</Loaded>
      </Page>
    )
  }
  const found = platformsOf(live.data ?? []).find(({ platformType }) => platformType === platform)
  return (
    <Page
      key={platform}
      title={`Connect ${found?.name ?? platform}`}
      lead={found === undefined ? undefined : `It ${doingsOf(found.usual.supportedCapabilities)}.`}
      above={[...above, ['New', '/console/connections/new']]}
    >
      <Loaded live={live}>
        {() =>
          found === undefined
            ? (
              <Empty action={<a href='/console/adapters'>See why on the page Adapters</a>}>
                No adapter that works serves the platform “{platform}”.
              </Empty>
            )
            : <Ways platform={found} />}
      </Loaded>
    </Page>
  )
}

function Cards ({ platforms }: { platforms: readonly Platform[] }): JSX.Element {
  if (platforms.length === 0) {
    return (
      <Empty action={<a href='/console/adapters'>Adapters</a>}>
        No adapter works in this hub. Install one with <code>linker add &lt;package&gt;</code> and start the hub again.
      </Empty>
    )
  }
  return (
    <div class='cards'>
      {platforms.map(({ platformType, name, usual }) => (
        <a key={platformType} class='card choice-card' href={`/console/connections/new/${platformType}`}>
          <header>
            <h2>
              <AdapterIcon adapter={usual} /> {name}
            </h2>
            <Icon name='next' />
          </header>
          <p>It {doingsOf(usual.supportedCapabilities)}.</p>
          <p class='muted'>
            {usual.authorisation === null
              ? 'You enter its address and key.'
              : 'You log in at the platform and allow it.'}
          </p>
          <p class='muted'>
            <code>{usual.adapterKey}@{usual.version}</code>
          </p>
        </a>
      ))}
    </div>
  )
}

function AdapterIcon ({ adapter }: { adapter: object }): JSX.Element | null {
  const { icon } = extrasOf(adapter)
  return icon === undefined ? null : <img class='icon' src={icon} alt='' width='20' height='20' />
}

function Ways ({ platform }: { platform: Platform }): JSX.Element {
  const { query, route } = useLocation()
  const { usual } = platform
  const { connectionId } = query

  useEffect(() => {
    // The hub brings the browser back here when the account is authorised.
    if (connectionId !== undefined) route(`${addressOf.connection(connectionId)}?authorised=1`, true)
  }, [connectionId])

  const isEntered = usual.authorisation === null || query.by === 'hand'
  // The list of platforms needs no forms, so they are loaded here. The name tells the views apart.
  const view = useLive(
    async () =>
      isEntered
        ? { name: 'enter', View: (await import('./new-connection/enter-settings.tsx')).EnterSettings }
        : { name: 'authorise', View: (await import('./new-connection/authorise.tsx')).Authorise },
    [isEntered],
    { everyMs: 0 }
  )
  return (
    <>
      <Loaded live={view}>{({ View }) => <View platform={platform} />}</Loaded>
      {!isEntered && (
        <p class='muted'>
          Do you have the credentials already?{' '}
          <a href={`/console/connections/new/${platform.platformType}?by=hand`}>Enter them by hand</a>.
        </p>
      )}
    </>
  )
}
