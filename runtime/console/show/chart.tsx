import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { columnsOf, isEmpty, type Plot } from '../rules/plots.ts'
import { Section } from './page.tsx'
import type { Mark } from './plot.ts'
import { theme } from './theme.tsx'

type Figures = Schemas['Figures']

interface ChartProps {
  plot: Plot
  figures: Figures
  marks: readonly Mark[]
  onSpan: (from: number, to: number) => void
}

const dark = matchMedia('(prefers-color-scheme: dark)')

/** A plot with its legend and its table. The library that draws is loaded with the first plot. */
export function Chart ({ plot, figures, marks, onSpan }: ChartProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [isDark, setDark] = useState(dark.matches)
  const { value: themeName } = theme

  useEffect(() => {
    const change = (): void => setDark(dark.matches)
    const watcher = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    if (place.current !== null) watcher.observe(place.current)
    dark.addEventListener('change', change)
    return () => {
      watcher.disconnect()
      dark.removeEventListener('change', change)
    }
  }, [])

  useEffect(() => {
    let remove: (() => void) | undefined
    let isShown = true
    const { current: element } = place
    if (element === null || width === 0 || isEmpty(plot, figures)) return undefined
    void import('./plot.ts').then(({ draw }) => {
      if (!isShown) return
      const columns = columnsOf(plot, figures)
      remove = draw(element, { plot, times: figures.times, columns, marks, width, onSpan })
    })
    return () => {
      isShown = false
      remove?.()
    }
  }, [figures, marks, width, isDark, themeName])

  return (
    <Section title={plot.title}>
      <p class='muted'>{plot.lead}</p>
      {isEmpty(plot, figures)
        ? <p class='empty'>Nothing was measured in this span.</p>
        : (
          <>
            <ul class='legend' aria-label='Lines'>
              {plot.lines.map(({ name, color }) => (
                <li key={name}>
                  <span class={`dot ink-${color}`} /> {name}
                </li>
              ))}
            </ul>
          </>
        )}
      <div class='plot' ref={place} aria-hidden='true' />
      <Numbers plot={plot} figures={figures} />
    </Section>
  )
}

const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' })

/** The same numbers as a table, made when somebody opens it. */
function Numbers ({ plot, figures }: { plot: Plot, figures: Figures }): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const slots = figures.times.flatMap((at, slot) => {
    const values = plot.lines.map(({ from }) => figures.series[from][slot] ?? null)
    return values.some(value => value !== null && value !== 0) ? [{ at, values }] : []
  })
  return (
    <details class='numbers' open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>As a table</summary>
      {isOpen && (
        <div class='table' tabIndex={0}>
          <table>
            <caption>{plot.title}; slots without a value are left out</caption>
            <thead>
              <tr>
                <th scope='col'>From</th>
                {plot.lines.map(({ name }) => <th key={name} scope='col' class='number'>{name}</th>)}
              </tr>
            </thead>
            <tbody>
              {slots.map(({ at, values }) => (
                <tr key={at}>
                  <th scope='row'>{time.format(at * 1_000)}</th>
                  {values.map((value, index) => (
                    <td key={plot.lines[index]?.name} class='number'>
                      {value === null ? '' : Math.round(value * 10) / 10}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  )
}
