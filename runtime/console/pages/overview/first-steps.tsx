import type { JSX } from 'preact'
import { hub } from '../../hub/hub.ts'
import { useLive } from '../../hub/live.ts'
import { firstSteps } from '../../rules/first-steps.ts'
import { Icon } from '../../show/icon.tsx'
import { Section } from '../../show/page.tsx'

/** Leads through the first connections. It goes away when a quantity was written once. */
export function FirstSteps ({ connections }: { connections: readonly { adapterKey: string }[] }): JSX.Element | null {
  const { data } = useLive(
    async signal => {
      const [adapters, offers] = await Promise.all([
        hub.get('/adapters', { signal }),
        hub.get('/offers', { query: { limit: 50 }, signal })
      ])
      return { adapters, offers }
    },
    [connections.length],
    { everyMs: 10_000, keeps: true }
  )
  if (data === undefined) return null

  const { adapters, offers } = data
  const has = (adapterKey: string, names: readonly string[]): boolean =>
    adapters.some(adapter =>
      adapter.adapterKey === adapterKey && names.some(name => adapter.supportedCapabilities.includes(name))
    )
  const steps = firstSteps({
    connections: connections.map(({ adapterKey }) => ({
      isShop: has(adapterKey, ['InventoryMaster', 'ProductMaster']),
      isMarketplace: has(adapterKey, ['OfferManager', 'Marketplace'])
    })),
    hasLinkedOffer: offers.length > 0,
    hasStockWrite: offers.some(({ quantity }) => quantity !== null)
  })
  const next = steps.findIndex(({ isDone }) => !isDone)
  if (next === -1) return null

  return (
    <Section title='First steps'>
      <ol class='items'>
        {steps.map(({ title, detail, isDone, href, action }, index) => (
          <li key={title}>
            <span class={`sign ${isDone ? 'good' : 'info'}`}>{isDone ? <Icon name='ok' /> : index + 1}</span>
            <div>
              <p>
                <strong>{title}</strong> {isDone && <span class='muted'>done</span>}
              </p>
              <p class='muted'>{detail}</p>
            </div>
            {index === next && <a class='button primary' href={href}>{action}</a>}
          </li>
        ))}
      </ol>
    </Section>
  )
}
