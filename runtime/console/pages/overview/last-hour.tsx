import type { JSX } from 'preact'
import { nowMs } from '../../hub/clock.ts'
import { hub } from '../../hub/hub.ts'
import { useLive } from '../../hub/live.ts'
import { duration } from '../../rules/times.ts'
import { Sparkline } from '../../show/sparkline.tsx'

const hourMs = 3_600_000

/** Webhooks and jobs per minute, and how long a quantity takes to the marketplace. */
export function LastHour (): JSX.Element | null {
  const { data } = useLive(
    signal => hub.get('/figures', { query: { from: new Date(nowMs() - hourMs).toISOString(), step: 60 }, signal }),
    [],
    { everyMs: 30_000 }
  )
  if (data === undefined) return null

  const { webhooksAccepted, jobsSucceeded, jobsDead, stockWrites, writtenP50 } = data.series
  const typical = writtenP50.findLast(ms => ms !== null)
  return (
    <ul class='cards figures' aria-label='The last hour'>
      <Figure name='Webhooks accepted' values={webhooksAccepted} />
      <Figure name='Jobs succeeded' values={jobsSucceeded} failures={jobsDead} />
      <Figure
        name='Quantities written'
        values={stockWrites}
        note={typical === undefined || typical === null
          ? undefined
          : `typically ${duration(typical)} after the webhook`}
      />
    </ul>
  )
}

function Figure ({ name, values, failures = [], note = 'in the last hour' }: {
  name: string,
  values: readonly number[],
  failures?: readonly number[],
  note?: string | undefined
}): JSX.Element {
  const total = values.reduce((sum, count) => sum + count, 0)
  return (
    <li class='card'>
      <p class='muted'>{name}</p>
      <p class='number-large'>{new Intl.NumberFormat().format(total)}</p>
      <Sparkline label={`${name} per minute in the last hour`} values={values} failures={failures} />
      <p class='muted small-text'>{note}</p>
    </li>
  )
}
