import type { JSX } from 'preact'

/** The ways to look at stock. */
export function StockTabs ({ current }: { current: 'stock' | 'drift' | 'jumped' | 'sweeps' }): JSX.Element {
  return (
    <nav class='tabs' aria-label='Stock'>
      <a href='/console/stock' aria-current={current === 'stock' ? 'page' : undefined}>Variants</a>
      <a href='/console/stock?drift=true' aria-current={current === 'drift' ? 'page' : undefined}>Drift</a>
      <a href='/console/stock?jumped=true' aria-current={current === 'jumped' ? 'page' : undefined}>Jumps</a>
      <a href='/console/stock/sweeps' aria-current={current === 'sweeps' ? 'page' : undefined}>Sweeps</a>
    </nav>
  )
}
