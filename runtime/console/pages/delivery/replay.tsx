import type { JSX } from 'preact'
import { clock } from '../../hub/clock.ts'
import { hub } from '../../hub/hub.ts'
import { addressOf } from '../../rules/addresses.ts'
import { commandLine } from '../../rules/command-line.ts'
import { canReplay, type Delivery } from '../../rules/deliveries.ts'
import { Action } from '../../show/action.tsx'

/** Handles the event of a delivery again, by the mapping of today. */
export function ReplayDelivery ({ delivery }: {
  delivery: Pick<Delivery, 'id' | 'replayableUntil' | 'ignored'>
}): JSX.Element {
  const { id } = delivery
  return (
    <Action
      label='Replay'
      scope='operate'
      title='Replay this delivery'
      blocked={() =>
        canReplay(delivery, clock.value) ? undefined : 'The delivery is too old: its data are no longer kept.'}
      run={async idempotencyKey => {
        const { data } = await hub.request('post', '/webhook-deliveries/{id}/replay', { path: { id }, idempotencyKey })
        return data.jobId === null
          ? { text: `The event still starts no job: ${'ignored' in data ? data.ignored : ''}.` }
          : { text: 'The event became a new job.', href: addressOf.job(data.jobId) }
      }}
      cli={commandLine(['deliveries', 'replay', id])}
      call={{ method: 'POST', path: `/webhook-deliveries/${id}/replay` }}
      isPrimary={delivery.ignored === null}
    >
      <p>
        The hub handles the event again as it would handle it today, in a new job. The delivery itself does not change.
      </p>
    </Action>
  )
}
