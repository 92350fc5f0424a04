import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { hub } from '../../hub/hub.ts'
import { Action } from '../../show/action.tsx'

/** Runs the jobs of a batch that died once more. */
export function RetryBatch ({ batch: { id, failed } }: { batch: Schemas['OfferBatch'] }): JSX.Element | null {
  return (
    <Action
      label='Retry failed'
      scope='operate'
      title='List the failed variants again'
      isPrimary
      run={async idempotencyKey => {
        const { jobIds } = await hub.post('/listings/batches/{batchId}/retry-failed', {
          path: { batchId: id },
          idempotencyKey
        })
        return { text: `${jobIds.length} of the failed variants are listed again.`, isBad: jobIds.length === 0 }
      }}
      call={{ method: 'POST', path: `/listings/batches/${id}/retry-failed` }}
    >
      <p>
        The {failed === 1 ? 'job' : `${failed} jobs`} that failed run again, with the values of the first time.
      </p>
    </Action>
  )
}
