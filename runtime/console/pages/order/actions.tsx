import type { JSX } from 'preact'
import { hub } from '../../hub/hub.ts'
import { addressOf } from '../../rules/addresses.ts'
import { canCancel, canRetry, canSettle } from '../../rules/order-states.ts'
import { Action, QuickAction } from '../../show/action.tsx'
import type { Outcome } from '../../show/toast.tsx'
import type { Order } from '../order.tsx'

/** The things that a person can do with an order. */
export function OrderActions ({ order }: { order: Order }): JSX.Element {
  const { id, status, reserved, problems, handledElsewhere } = order
  return (
    <>
      {canRetry(status, handledElsewhere) && (
        <QuickAction
          label='Retry'
          scope='operate'
          // An order that waits for a variant goes on by itself when its offer is linked.
          isPrimary={status === 'failed'}
          run={async () => {
            const { jobIds } = await hub.post('/orders/{id}/retry', { path: { id } })
            return outcomeOf(jobIds, 'The hub tries the order again.', 'No job follows: the problems say why.')
          }}
        />
      )}
      {status === 'failed' && reserved > 0 && (
        <Action
          label='Release'
          scope='operate'
          title='Give its pieces back'
          run={async idempotencyKey => {
            const { jobIds } = await hub.post('/orders/{id}/release', { path: { id }, idempotencyKey })
            return outcomeOf(jobIds, 'The pieces can be sold again.', 'The order kept no pieces.')
          }}
          cli={`linker orders release ${id}`}
          call={{ method: 'POST', path: `/orders/${id}/release` }}
        >
          <p>The order reserves {reserved}. Other buyers can buy them then. A retry takes them again.</p>
        </Action>
      )}
      {canSettle(status, problems) && (
        <Action
          label='Settle'
          scope='operate'
          title='End the problems'
          run={async () => {
            await hub.post('/orders/{id}/settle', { path: { id } })
            return { text: 'The problems are settled; the history keeps them.' }
          }}
          cli={`linker orders settle ${id}`}
          call={{ method: 'POST', path: `/orders/${id}/settle` }}
        >
          <p>Somebody saw to what the problems say. The order changes nowhere; its history keeps the problems.</p>
        </Action>
      )}
      {canCancel(status, problems) && (
        <Action
          label='Cancel order'
          scope='operate'
          title='Cancel the order'
          isGrave
          run={async idempotencyKey => {
            const { jobIds } = await hub.post('/orders/{id}/cancel', { path: { id }, idempotencyKey })
            return outcomeOf(
              jobIds,
              'The order is cancelled; jobs tell the platforms.',
              'There was nothing left to do.'
            )
          }}
          cli={`linker orders cancel ${id}`}
          call={{ method: 'POST', path: `/orders/${id}/cancel` }}
        >
          <p>
            The hub cancels it for good: here, at the marketplace, and in the shop unless the shop has shipped it. Its
            pieces are on sale again.
          </p>
        </Action>
      )}
    </>
  )
}

function outcomeOf ([jobId]: readonly string[], done: string, nothing: string): Outcome {
  return jobId === undefined ? { text: nothing } : { text: done, href: addressOf.job(jobId) }
}
