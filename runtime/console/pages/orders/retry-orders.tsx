import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import type { Connections } from '../../hub/connections.ts'
import { hub } from '../../hub/hub.ts'
import { countOf } from '../../rules/counts.ts'
import { retryCommandOf, retryFilterOf } from '../../rules/order-retries.ts'
import { Action } from '../../show/action.tsx'
import { Facts } from '../../show/facts.tsx'

type Summary = Schemas['OrderRetrySummary']

/** Retries all orders of the list that can be retried, after a dry run. */
export function RetryOrders ({ filter: shown, connections }: {
  filter: Parameters<typeof retryFilterOf>[0],
  connections: Connections
}): JSX.Element {
  const filter = retryFilterOf(shown)
  return (
    <Action<Summary>
      label='Retry all'
      scope='operate'
      title='Retry the orders of this filter'
      confirm='Retry them'
      plan={async () => hub.post('/orders/retry', { body: { filter, dryRun: true } })}
      blocked={plan => plan?.eligible === 0 ? 'None of these orders can be retried.' : undefined}
      run={async idempotencyKey => {
        const { retried, next } = await hub.post('/orders/retry', { body: { filter, dryRun: false }, idempotencyKey })
        const rest = next === null ? '' : ' Others follow: retry again.'
        return { text: `${countOf(retried, 'order')} retried.${rest}` }
      }}
      cli={retryCommandOf(filter)}
      call={{ method: 'POST', path: '/orders/retry', body: { filter, dryRun: false } }}
    >
      {({ matched, eligible, atMost, byGroup, skipped }) => (
        <>
          <p>
            {countOf(matched, 'order')} failed or wait for a variant{atMost ? ', and more that were not counted' : ''}.
            {' '}
            {eligible} would be retried.
          </p>
          <Facts
            of={byGroup.map(({ connectionId, status, code, count }) => [
              `${connections.nameOf(connectionId)}, ${status}`,
              `${countOf(count, 'order')}${code === null ? '' : `: ${code}`}`
            ])}
          />
          {skipped.length > 0 && <Facts of={skipped.map(({ reason, count }) => [`skipped: ${reason}`, count])} />}
        </>
      )}
    </Action>
  )
}
