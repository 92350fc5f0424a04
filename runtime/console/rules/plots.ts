import type { Schemas } from '@linker/client'

type Figures = Schemas['Figures']
export type SeriesName = keyof Figures['series']

export interface PlotLine {
  name: string
  /** A custom property of the style, without its dashes. */
  color: 'accent' | 'good' | 'bad' | 'warn' | 'busy' | 'muted'
  from: SeriesName
}

export interface Plot {
  title: string
  /** Says what the plot answers. */
  lead: string
  unit: 'count' | 'ms' | 'seconds'
  /** Each line is drawn on top of the one before, so that the highest shows the sum. */
  isStacked: boolean
  lines: readonly PlotLine[]
  /** The list that shows the objects behind a moment. */
  list?: 'jobs' | 'deliveries'
}

/** The plots of the page Figures, from top to bottom. */
export const plots: readonly Plot[] = [
  {
    title: 'From webhook to marketplace',
    lead: 'How long after the webhook a quantity is written at the marketplace.',
    unit: 'ms',
    isStacked: false,
    lines: [
      { name: 'median', color: 'good', from: 'writtenP50' },
      { name: '95 % below', color: 'busy', from: 'writtenP95' },
      { name: '99 % below', color: 'warn', from: 'writtenP99' }
    ]
  },
  {
    title: 'Webhooks',
    lead: 'Deliveries that were accepted, that repeated an event, and that were refused.',
    unit: 'count',
    isStacked: true,
    list: 'deliveries',
    lines: [
      { name: 'accepted', color: 'good', from: 'webhooksAccepted' },
      { name: 'repeated', color: 'muted', from: 'webhooksRepeated' },
      { name: 'refused', color: 'bad', from: 'webhooksRefused' }
    ]
  },
  {
    title: 'Jobs',
    lead: 'Jobs that succeeded, runs that were put back, and jobs that died.',
    unit: 'count',
    isStacked: true,
    list: 'jobs',
    lines: [
      { name: 'succeeded', color: 'good', from: 'jobsSucceeded' },
      { name: 'put back', color: 'warn', from: 'jobsPutBack' },
      { name: 'dead', color: 'bad', from: 'jobsDead' }
    ]
  },
  {
    title: 'Queue',
    lead: 'Jobs that are due, that wait for a time or a connection, and that run.',
    unit: 'count',
    isStacked: false,
    list: 'jobs',
    lines: [
      { name: 'due', color: 'accent', from: 'queued' },
      { name: 'waiting', color: 'warn', from: 'waiting' },
      { name: 'running', color: 'good', from: 'running' }
    ]
  },
  {
    title: 'Oldest due job',
    lead: 'How long the oldest job has been due. It grows when there are too few workers.',
    unit: 'seconds',
    isStacked: false,
    list: 'jobs',
    lines: [{ name: 'oldest', color: 'warn', from: 'oldestSeconds' }]
  },
  {
    title: 'Answers of the platforms',
    lead: 'Requests by the class of their answer.',
    unit: 'count',
    isStacked: true,
    lines: [
      { name: '2xx', color: 'good', from: 'upstream2xx' },
      { name: '3xx', color: 'muted', from: 'upstream3xx' },
      { name: '4xx', color: 'busy', from: 'upstream4xx' },
      { name: '429', color: 'warn', from: 'upstream429' },
      { name: '5xx', color: 'bad', from: 'upstream5xx' },
      { name: 'no answer', color: 'accent', from: 'upstreamNone' }
    ]
  },
  {
    title: 'Time of the platforms',
    lead: 'How long requests to the platforms take.',
    unit: 'ms',
    isStacked: false,
    lines: [
      { name: 'median', color: 'good', from: 'upstreamP50' },
      { name: '95 % below', color: 'warn', from: 'upstreamP95' }
    ]
  },
  {
    title: 'Drift',
    lead: 'Offers that were not written with the quantity that they should show.',
    unit: 'count',
    isStacked: false,
    lines: [{ name: 'offers', color: 'warn', from: 'drift' }]
  }
]

type Column = (number | null)[]

/** The columns to draw: for a stacked plot, each is the sum of those before and its own. */
export function columnsOf ({ lines, isStacked }: Plot, { series }: Pick<Figures, 'series'>): Column[] {
  const columns = lines.map(({ from }) => [...series[from]])
  if (!isStacked) return columns
  return columns.map((column, line) =>
    column.map((_value, slot) => columns.slice(0, line + 1).reduce((sum, values) => sum + (values[slot] ?? 0), 0))
  )
}

/** Whether nothing was measured in the whole span. */
export function isEmpty ({ lines }: Plot, { series }: Pick<Figures, 'series'>): boolean {
  return lines.every(({ from }) => series[from].every(value => value === null || value === 0))
}
