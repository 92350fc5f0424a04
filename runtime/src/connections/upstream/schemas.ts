import { budgetLimits } from '@linker/sdk/host'
import { Type, type Static } from '@sinclair/typebox'
import { Id } from '../../http/schemas.ts'
import { printable } from '../../text-patterns.ts'
import { Traffic } from '../../upstream/schemas.ts'

const RatePerSecond = Type.Number({
  minimum: budgetLimits.leastRate,
  maximum: budgetLimits.mostRate,
  description: 'Requests per second in the long run'
})
const Burst = Type.Integer({
  minimum: 1,
  maximum: budgetLimits.mostBurst,
  description: 'Requests that the hub may send at once after an idle time'
})

export const BudgetBody = Type.Object({
  ratePerSecond: RatePerSecond,
  burst: Burst,
  reason: Type.Optional(Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: printable,
    description: 'For colleagues: the budget and the audit show it'
  }))
}, { additionalProperties: false })
export type BudgetBody = Static<typeof BudgetBody>

export const UpstreamView = Type.Object({ connectionId: Id, ...Traffic.properties }, { $id: 'Upstream' })
export type UpstreamView = Static<typeof UpstreamView>
