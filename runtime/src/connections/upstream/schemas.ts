import { budgetLimits } from '@linker/sdk/host'
import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable } from '../../http/schemas.ts'
import { printable } from '../../text-patterns.ts'

const RatePerSecond = Type.Number({
  minimum: budgetLimits.leastRate,
  maximum: budgetLimits.mostRate,
  description: 'Requests per second in the long run'
})
const Burst = Type.Integer({
  minimum: 1,
  maximum: budgetLimits.mostBurst,
  description: 'Requests that the hub may send at once after a rest'
})

export const BudgetBody = Type.Object({
  ratePerSecond: RatePerSecond,
  burst: Burst,
  reason: Type.Optional(Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: printable,
    description: 'For colleagues: the audit shows it'
  }))
}, { additionalProperties: false })
export type BudgetBody = Static<typeof BudgetBody>

const Time = Type.String({ format: 'date-time' })

// A learnt rate knows no bounds.
const budgetOf = (description: string) =>
  Nullable(Type.Object({ ratePerSecond: Type.Number(), burst: Type.Integer() }, { description }))

export const UpstreamView = Type.Object({
  connectionId: Id,
  budget: Type.Object({
    declared: budgetOf('The quota that the adapter declares. Null: none, or the adapter is not loaded'),
    own: budgetOf('The lower one that an operator set'),
    learnt: Nullable(Type.Object({ ratePerSecond: Type.Number(), throttledAt: Time }, {
      description: 'The rate to which answers 429 have slowed the hub down; it grows again by itself'
    })),
    effective: budgetOf('The one that holds now, the smallest of the others. Null: no limit')
  }),
  throttledUntil: Nullable(Type.String({
    format: 'date-time',
    description: 'The platform asked for a pause until then'
  })),
  breaker: Type.Object({
    state: Type.Union([Type.Literal('closed'), Type.Literal('open'), Type.Literal('probing')], {
      description: '`probing`: one call finds out whether the platform works again'
    }),
    openedAt: Nullable(Time),
    openUntil: Nullable(Type.String({ format: 'date-time', description: 'When the next call may probe' })),
    openings: Type.Integer({ minimum: 0, description: 'How often it opened without closing in between' }),
    failure: Nullable(Type.String({ description: 'The failure that opened it' }))
  })
}, { $id: 'Upstream' })
export type UpstreamView = Static<typeof UpstreamView>
