import type { JSX } from 'preact'
import { partsOf, type Redrive } from '../../rules/redrives.ts'
import { State } from '../../show/state.tsx'

const width = 1_000

/** A bar of what became of the jobs, with its numbers beside it. */
export function Progress ({ redrive }: { redrive: Redrive }): JSX.Element {
  const { total } = redrive
  const parts = partsOf(redrive)
  let x = 0
  const bars = parts.map(({ name, count, tone }) => {
    const length = count / Math.max(1, total) * width
    const bar = <rect key={name} class={`fill-${tone}`} x={x} y='0' width={length} height='20' />
    x += length
    return bar
  })
  return (
    <>
      <svg class='progress' viewBox={`0 0 ${width} 20`} preserveAspectRatio='none' aria-hidden='true'>{bars}</svg>
      <ul class='parts'>
        {parts.map(({ name, count, tone }) => (
          <li key={name}>
            <strong>{count}</strong> <State name={name} tone={tone} />
          </li>
        ))}
        <li>
          <strong>{total}</strong> <span class='muted'>in all</span>
        </li>
      </ul>
    </>
  )
}
