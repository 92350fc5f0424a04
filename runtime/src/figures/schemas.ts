import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable } from '../http/schemas.ts'
import { keptDays, minutesKeptHours, mostPoints } from './span.ts'

const time = { format: 'date-time', maxLength: 40 }

export const FiguresQuery = Type.Object({
  from: Type.Optional(Type.String({
    ...time,
    description: `Beginning, at most ${keptDays} days ago; default: 24 hours before \`to\``
  })),
  to: Type.Optional(Type.String({ ...time, description: 'End; default: now' })),
  step: Type.Optional(Type.Integer({
    minimum: 60,
    maximum: keptDays * 86_400,
    multipleOf: 60,
    description: `Seconds of a slot. At most ${mostPoints} slots are answered, and slots below an hour only for the ` +
      `last ${minutesKeptHours} hours; default: one that makes at most 360 slots`
  })),
  connectionId: Type.Optional(Id)
}, { additionalProperties: false })

const Counts = (description: string) => Type.Array(Type.Number(), { description })
const Values = (description: string) => Type.Array(Nullable(Type.Number()), { description })
const Milliseconds = (description: string) => Values(`${description}, in milliseconds; null: there was none`)

const Series = Type.Object({
  webhooksAccepted: Counts('Deliveries that were accepted for the first time'),
  webhooksRepeated: Counts('Deliveries of events that the hub had already'),
  webhooksRefused: Counts('Deliveries that were refused; see `refused`'),
  jobsSucceeded: Counts('Jobs that ended well'),
  jobsPutBack: Counts('Runs after which the job waits for another run'),
  jobsDead: Counts('Jobs that were given up'),
  jobsCancelled: Counts('Jobs that somebody cancelled while they ran'),
  upstream2xx: Counts('Requests to platforms, attempt by attempt, that were answered with a status below 300'),
  upstream3xx: Counts('Those answered with 300 to 399'),
  upstream4xx: Counts('Those answered with 400 to 499, without 429'),
  upstream429: Counts('Those answered with 429: too many requests'),
  upstream5xx: Counts('Those answered with 500 to 599'),
  upstreamNone: Counts('Those without an answer'),
  stockWrites: Counts('Quantities of offers that were written at marketplaces'),
  upstreamP50: Milliseconds('Half of the requests to platforms took no longer'),
  upstreamP95: Milliseconds('95 of 100 requests to platforms took no longer'),
  upstreamP99: Milliseconds('99 of 100 requests to platforms took no longer'),
  writtenP50: Milliseconds('Half of the quantities were written at the marketplace this long after the webhook'),
  writtenP95: Milliseconds('The same for 95 of 100'),
  writtenP99: Milliseconds('The same for 99 of 100'),
  queued: Values('Jobs that were due, once a minute; the most in the slot'),
  waiting: Values('Jobs that waited for a later time or for their connection'),
  running: Values('Jobs that ran'),
  oldestSeconds: Values('Time since the oldest queued job became due, in seconds'),
  drift: Values('Offers that were not written with the quantity that they should show, counted every five minutes')
})

export const Figures = Type.Object({
  step: Type.Integer({ description: 'Seconds of a slot' }),
  times: Type.Array(Type.Integer(), { description: 'The beginnings of the slots, in seconds since 1970' }),
  series: Series,
  refused: Type.Record(Type.String(), Type.Array(Type.Number()), {
    description: 'Refused deliveries by the code of the refusal'
  })
}, { $id: 'Figures', description: 'Columns with one value for each slot' })
export type Figures = Static<typeof Figures>
