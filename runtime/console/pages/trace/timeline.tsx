import type { JSX } from 'preact'
import { addressOf } from '../../rules/addresses.ts'
import { axisOf, type TimeAxis } from '../../rules/time-axis.ts'
import { duration } from '../../rules/times.ts'
import { toneOf } from '../../rules/tones.ts'
import type { Step } from '../../rules/trace.ts'
import { countOf } from '../../rules/words.ts'
import { LongName } from '../../show/long-name.tsx'
import { State } from '../../show/state.tsx'
import { Table } from '../../show/table.tsx'

const width = 1_000
const leastBar = 4

/** The steps as rows, each with its bar on the common axis. The words say the same as the bars. */
export function Timeline ({ steps }: { steps: readonly Step[] }): JSX.Element {
  const startMs = steps[0]?.fromMs ?? 0
  const axis = axisOf(steps.flatMap(spansOf), width)
  return (
    <section class='card trace'>
      <Table<Step>
        caption={captionOf(axis)}
        rows={steps}
        keyOf={({ key }) => key}
        columns={[
          { head: 'Step', cell: step => <Title step={step} /> },
          { head: 'State', cell: ({ state }) => state !== undefined && <State {...state} /> },
          { head: 'Began', cell: ({ fromMs }) => signed(fromMs - startMs), isNumber: true },
          {
            head: 'Took',
            cell: ({ fromMs, toMs }) => toMs === undefined ? undefined : duration(toMs - fromMs),
            isNumber: true
          },
          { head: 'Time axis', cell: step => <Bar step={step} axis={axis} /> }
        ]}
        empty={null}
      />
    </section>
  )
}

function Title ({ step }: { step: Step }): JSX.Element {
  const { kind, depth, title, href, detail, mergedInto } = step
  const name = kind === 'job' ? <LongName name={title} /> : title
  return (
    <div class={`step depth-${depth}`}>
      {href === undefined ? <span class={`of-${kind}`}>{name}</span> : <a class='row' href={href}>{name}</a>}
      {detail !== '' && <span class='muted'>{detail}</span>}
      {mergedInto !== undefined && (
        <span class='muted'>
          merged into <a href={addressOf.job(mergedInto)}>the job that does the work</a>
        </span>
      )}
    </div>
  )
}

function Bar ({ step, axis }: { step: Step, axis: TimeAxis }): JSX.Element {
  const { kind, fromMs, toMs, state } = step
  const from = axis.placeOf(fromMs)
  const length = toMs === undefined ? leastBar : Math.max(leastBar, axis.placeOf(toMs) - from)
  const tone = state === undefined ? 'busy' : state.tone ?? toneOf(state.name)
  const isThin = kind === 'call'
  return (
    <svg class='bar' viewBox={`0 0 ${width} 20`} preserveAspectRatio='none' aria-hidden='true'>
      {axis.breaks.map(({ place }) => <line key={place} class='break' x1={place} x2={place} y1='0' y2='20' />)}
      <rect
        class={kind === 'job' ? `wide-${tone}` : `fill-${tone}`}
        x={Math.min(from, width - leastBar)}
        y={isThin ? 7 : 4}
        width={length}
        height={isThin ? 6 : 12}
      />
    </svg>
  )
}

/** A job waits most of its time, so its own span would hide the pauses between its attempts. */
function spansOf ({ kind, fromMs, toMs }: Step): { fromMs: number, toMs: number }[] {
  if (toMs === undefined) return [{ fromMs, toMs: fromMs }]
  return kind === 'job' ? [{ fromMs, toMs: fromMs }, { fromMs: toMs, toMs }] : [{ fromMs, toMs }]
}

function captionOf ({ breaks }: TimeAxis): string {
  const steps = 'Steps in the order of time'
  if (breaks.length === 0) return steps
  const pauses = breaks.map(({ ms }) => duration(ms)).join(', ')
  return `${steps}. The axis shortens ${countOf(breaks.length, 'pause')}: ${pauses}`
}

function signed (ms: number): string {
  return ms < 0 ? `−${duration(-ms)}` : `+${duration(ms)}`
}
