import type { Schemas } from '@linker/client'
import type { ComponentChildren, JSX } from 'preact'
import { useRoute } from 'preact-iso/router'
import { hub } from '../hub/hub.ts'
import { useLive } from '../hub/live.ts'
import { extrasOf } from '../rules/links.ts'
import { doingsOf, isServing } from '../rules/platforms.ts'
import { budgetOf } from '../rules/upstream.ts'
import { Facts } from '../show/facts.tsx'
import { Icon } from '../show/icon.tsx'
import { Json } from '../show/json.tsx'
import { Empty, Loaded } from '../show/loaded.tsx'
import { Page, Section } from '../show/page.tsx'
import { RemedyOf } from '../show/problem.tsx'
import { State } from '../show/state.tsx'
import { Changelog } from './adapter/changelog.tsx'
import { UsedBy } from './adapter/used-by.tsx'

type Adapter = Schemas['Adapter']

const above = [['Adapters', '/console/adapters']] as const

/** Shows one version of an adapter: its rights, and the reason if it does not serve. */
export default function AdapterPage (): JSX.Element {
  const { params: { key = '', version = '' } } = useRoute()
  const live = useLive(signal => hub.get('/adapters', { signal }), [], { everyMs: 15_000 })
  const adapter = live.data?.find(one =>
    (one.adapterKey ?? one.packageName) === key && (one.version ?? '-') === version
  )
  return (
    <Page
      key={`${key}@${version}`}
      title={adapter?.displayName ?? key}
      lead={
        <>
          {adapter !== undefined && <State name={adapter.state} />} <code>{key}@{version}</code>
        </>
      }
      above={above}
      actions={adapter !== undefined && isServing(adapter) && adapter.isDefault && (
        <a class='button' href={`/console/connections/new/${adapter.platformType}`}>Connect</a>
      )}
    >
      <Loaded live={live}>
        {() =>
          adapter === undefined
            ? (
              <Empty>
                The hub did not find this version when it started. It may be removed, or replaced by another.
              </Empty>
            )
            : <Parts adapter={adapter} />}
      </Loaded>
    </Page>
  )
}

function Parts ({ adapter }: { adapter: Adapter }): JSX.Element {
  const { error, warning, deprecated, changed, adapterKey, version } = adapter
  return (
    <>
      {error !== undefined && (
        <div class='note bad'>
          <Icon name='error' />
          <div>
            <p>{error.message}</p>
            <RemedyOf code={error.code} />
          </div>
        </div>
      )}
      {changed !== undefined && <Warning>{changed.message} {changed.remedy}</Warning>}
      {warning !== undefined && <Warning>{warning}</Warning>}
      {deprecated !== undefined && <Warning>Its author has retired this version: {deprecated}</Warning>}
      <Identity adapter={adapter} />
      <Abilities adapter={adapter} />
      <Section title='May do'>
        <Facts
          of={Object.entries(adapter.permissions).map(
            ([name, value]) => [name, <code key={name}>{textOf(value)}</code>]
          )}
        />
        {Object.keys(adapter.permissions).length === 0 && <p class='muted'>It asks for no permission.</p>}
      </Section>
      <UsedBy adapter={adapter} />
      {adapterKey !== null && version !== null && extrasOf(adapter).hasChangelog && (
        <Changelog adapterKey={adapterKey} version={version} />
      )}
      <Json title='As the hub answers it' value={adapter} />
    </>
  )
}

function Warning ({ children }: { children: ComponentChildren }): JSX.Element {
  return (
    <p class='note warn'>
      <Icon name='warning' /> <span>{children}</span>
    </p>
  )
}

function Identity ({ adapter }: { adapter: Adapter }): JSX.Element {
  const { packageName, platformType, isolation, isDefault, conformance, webhooks, budget } = adapter
  const { links, icon } = extrasOf(adapter)
  return (
    <Section title='Adapter'>
      {icon !== undefined && <img src={icon} alt='' width='48' height='48' />}
      <Facts
        of={[
          ['Package', <code key='package'>{packageName}</code>],
          ['Platform', platformType],
          [
            'Runs',
            isolation === null
              ? 'not loaded'
              : isolation === 'inline'
              ? 'in the thread of the hub'
              : 'in its own thread'
          ],
          ['Default of its platform', isDefault ? 'yes' : 'no'],
          [
            'Conformance',
            conformance === null
              ? 'its package has no report'
              : `level ${conformance.level ?? 'not known'}${
                conformance.reason === undefined ? '' : `: ${conformance.reason}`
              }`
          ],
          ['Webhooks', webhooks ?? 'none'],
          ['Limit of its calls', budgetOf(budget)],
          [
            'Authorisation',
            adapter.authorisation === null ? 'credentials are entered' : 'in a browser, at the platform'
          ]
        ]}
      />
      {links.length > 0 && (
        <ul class='listed'>
          {links.map(({ name, href, host }) => (
            <li key={name}>
              <a href={href} rel='noreferrer noopener'>{name}</a> <span class='muted'>at {host}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function Abilities ({ adapter }: { adapter: Adapter }): JSX.Element {
  const { supportedCapabilities, features, jobs, schedules, routes } = adapter
  return (
    <Section title='Does'>
      {supportedCapabilities.length > 0 && <p class='does'>It {doingsOf(supportedCapabilities)}.</p>}
      <Facts
        of={[
          ...Object.entries(features).map(([name, methods]) =>
            [name, methods === null ? 'known when a connection uses it' : methods.join(', ')] as const
          ),
          ['Jobs', jobs.join(', ')],
          ['Schedules', schedules.join(', ')],
          [
            'Routes',
            routes.length === 0 ? '' : (
              <ul key='routes'>
                {routes.map(route => (
                  <li key={route}>
                    <code>{route}</code>
                  </li>
                ))}
              </ul>
            )
          ]
        ]}
      />
    </Section>
  )
}

function textOf (value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
