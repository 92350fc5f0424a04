import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useLocation } from 'preact-iso/router'
import { useMemo } from 'preact/hooks'
import { nowMs } from '../hub/clock.ts'
import { hub } from '../hub/hub.ts'
import { useLive } from '../hub/live.ts'
import { withFilter } from '../rules/filters.ts'
import { marksOf } from '../rules/marks.ts'
import { plots } from '../rules/plots.ts'
import { queryOf, spans, usualSpan } from '../rules/spans.ts'
import { Chart } from '../show/chart.tsx'
import { Filters, useFilter } from '../show/filters.tsx'
import { Loaded } from '../show/loaded.tsx'
import { Page } from '../show/page.tsx'
import { At } from '../show/time.tsx'

const spanField = {
  name: 'span',
  label: 'Span',
  none: spans[usualSpan][0],
  choices: Object.entries(spans)
    .filter(([name]) => name !== usualSpan)
    .map(([name, [word]]) => [name, word] as const)
} as const

/** Since when? Plots of what the hub did, with the changes that people made. */
export default function FiguresPage (): JSX.Element {
  const { path, query, route } = useLocation()
  const { data: connections = [] } = useLive(
    signal => hub.get('/connections', { query: { limit: 200 }, signal }),
    [],
    { everyMs: 0 }
  )
  const connectionField = {
    name: 'connectionId',
    label: 'Connection',
    choices: connections.map(({ id, name }) => [id, name] as const)
  } as const
  const { connectionId, span } = useFilter([connectionField, spanField])
  const { from, to } = query
  const live = useLive(
    async signal => {
      const times = queryOf({ span, from, to }, nowMs())
      const only = connectionId === undefined ? {} : { connectionId }
      const [figures, changes] = await Promise.all([
        hub.get('/figures', { query: { ...times, ...only }, signal }),
        hub.get('/audit', { query: { since: times.from, limit: 200, ...only }, signal })
      ])
      return { figures, changes }
    },
    [connectionId, span, from, to],
    { everyMs: 60_000, keeps: true }
  )

  function choose (fromSeconds: number, toSeconds: number): void {
    const times = [fromSeconds, toSeconds].map(seconds => new Date(seconds * 1_000).toISOString())
    route(withFilter(path, { connectionId, from: times[0], to: times[1] }))
  }

  return (
    <Page title='Figures' lead='Drag over a plot to look at a shorter span; all plots follow.'>
      <Filters fields={[connectionField, spanField]} />
      {from !== undefined && to !== undefined && (
        <p class='note info'>
          <span>
            From <At at={from} /> to <At at={to} />. <a href={withFilter(path, { connectionId })}>Show the last day</a>
          </span>
        </p>
      )}
      <Loaded live={live}>
        {({ figures, changes }) => <Plots figures={figures} changes={changes} onSpan={choose} />}
      </Loaded>
    </Page>
  )
}

function Plots ({ figures, changes, onSpan }: {
  figures: Schemas['Figures'],
  changes: readonly Schemas['AuditEntry'][],
  onSpan: (from: number, to: number) => void
}): JSX.Element {
  const marks = useMemo(() => marksOf(changes), [changes])
  return (
    <>
      {plots.map(plot => <Chart key={plot.title} plot={plot} figures={figures} marks={marks} onSpan={onSpan} />)}
      {marks.length > 0 && (
        <details class='numbers'>
          <summary>{marks.length} marks in this span</summary>
          <ul>
            {marks.map(({ at, title }) => (
              <li key={`${at} ${title}`}>
                <At at={new Date(at * 1_000).toISOString()} /> {title}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
