import { Type, type Static } from '@sinclair/typebox'
import { AuditActor } from '../audit/schemas.ts'
import { Nullable } from '../http/schemas.ts'

const Time = Type.String({ format: 'date-time' })

// A learnt rate knows no bounds.
const figures = { ratePerSecond: Type.Number(), burst: Type.Integer() }
const budgetOf = (description: string) => Nullable(Type.Object(figures, { description }))

const Learnt = Nullable(Type.Object({ ratePerSecond: Type.Number(), throttledAt: Time }, {
  description: 'The rate to which answers 429 have slowed the hub down; it grows again by itself'
}))

const rests = {
  throttledUntil: Nullable(Type.String({ format: 'date-time', description: 'The platform rests until then' })),
  rest: Nullable(Type.Object({
    since: Time,
    reason: Type.String({ description: 'The answer that asked for it, or why the platform is away' }),
    isAway: Type.Boolean({ description: 'It is off for a while, as for maintenance; else it asked to slow down' })
  }, { description: 'Not null after `throttledUntil`: the next call finds out whether the platform works again' })),
  breaker: Type.Object({
    state: Type.Union([Type.Literal('closed'), Type.Literal('open'), Type.Literal('probing')], {
      description: '`probing`: one call finds out whether the platform works again'
    }),
    openedAt: Nullable(Time),
    openUntil: Nullable(Type.String({ format: 'date-time', description: 'When the next call may probe' })),
    openings: Type.Integer({ minimum: 0, description: 'How often it opened without closing in between' }),
    failure: Nullable(Type.String({ description: 'The last failure that opened it' }))
  })
}

export const AreaTraffic = Type.Object({ name: Type.String(), learnt: Learnt, ...rests })
export type AreaTraffic = Static<typeof AreaTraffic>

/** The traffic to the platform of a connection, as people see it. */
export const Traffic = Type.Object({
  budget: Type.Object({
    declared: budgetOf('The quota that the adapter declares. Null: none, or the adapter is not loaded'),
    own: Nullable(Type.Object({
      ...figures,
      reason: Nullable(Type.String()),
      by: Nullable(AuditActor),
      since: Nullable(Time)
    }, { description: 'The lower one that an operator set, with who set it and when' })),
    learnt: Learnt,
    effective: budgetOf('What holds now: the smallest rate and the smallest burst of the others. Null: no limit')
  }),
  ...rests,
  areas: Type.Array(AreaTraffic, {
    description: 'The areas of the platform that are slowed down or rest by themselves, or fail'
  })
})
export type Traffic = Static<typeof Traffic>
