import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { hub } from '../../hub/hub.ts'
import { addressOf } from '../../rules/addresses.ts'
import { withFilter } from '../../rules/filters.ts'
import { previewSentence } from '../../rules/preview-sentence.ts'
import { isAccepted } from '../../rules/stock-rows.ts'
import { Action } from '../../show/action.tsx'
import { Missing } from './preview.tsx'

type PreviewOf = Schemas['ReconcilePreview']

/** Does what a dry run showed. A held one also needs the number of the missing variants. */
export function Repair ({ preview, name, isShop, done }: {
  preview: PreviewOf,
  name: string,
  /** The stock of a shop is swept, and the page of the sweeps shows how far that is. */
  isShop: boolean,
  done: () => void
}): JSX.Element {
  const { connectionId, held } = preview
  if (held) return <AcceptMissing connectionId={connectionId} name={name} done={done} />
  return (
    <Action
      label='Repair'
      scope='operate'
      title={`Repair the stock of ${name}`}
      isPrimary
      run={async idempotencyKey => {
        const job = await startSweep({ connectionId }, idempotencyKey)
        done()
        return { text: 'The comparison runs and repairs what differs.', href: isShop ? sweepsOf(connectionId) : job }
      }}
      cli={`linker stock reconcile --connection ${connectionId}`}
      call={{ method: 'POST', path: '/stock/reconcile', body: { connectionId } }}
    >
      <p>{previewSentence(preview)} The hub reads everything again and repairs what differs then.</p>
    </Action>
  )
}

/** Accepts that the missing variants of a shop are gone, by their number. */
export function AcceptMissing ({ connectionId, name, done }: {
  connectionId: string,
  name: string,
  done?: () => void
}): JSX.Element {
  const [typed, setTyped] = useState('')
  const body = { connectionId, acceptMissing: true }

  function whyNot (plan: PreviewOf | undefined): string | undefined {
    if (plan === undefined) return undefined
    if (!plan.complete) return 'The hub could not read the whole shop in time.'
    if (plan.missing === 0) return 'The shop lists all variants now: a plain comparison is enough.'
    return isAccepted(typed, plan.missing) ? undefined : 'Type the number of missing variants.'
  }

  return (
    <Action<PreviewOf>
      label='Accept missing'
      scope='operate'
      title={`Accept the missing variants of ${name}`}
      isGrave
      plan={async () => {
        setTyped('')
        const answer = await hub.post('/stock/reconcile', { body: { connectionId, dryRun: true } })
        if ('jobIds' in answer) throw new Error('The hub started a comparison instead of a dry run.')
        return answer
      }}
      blocked={whyNot}
      run={async idempotencyKey => {
        await startSweep(body, idempotencyKey)
        done?.()
        return { text: 'The sweep runs and accepts the missing variants.', href: sweepsOf(connectionId) }
      }}
      cli={`linker stock reconcile --connection ${connectionId} --accept-missing`}
      call={{ method: 'POST', path: '/stock/reconcile', body }}
    >
      {plan => (
        <>
          <p>
            {previewSentence(plan)}{' '}
            The hub looks up each missing variant once more. Those that the shop really does not have are set to zero at
            all marketplaces.
          </p>
          <Missing variants={plan.missingVariants} />
          <label>
            <span>Number of missing variants, to confirm: {plan.missing}</span>
            <input inputMode='numeric' value={typed} onInput={event => setTyped(event.currentTarget.value)} />
          </label>
        </>
      )}
    </Action>
  )
}

function sweepsOf (connectionId: string): string {
  return withFilter('/console/stock/sweeps', { connectionId })
}

/** Starts a comparison. Returns the page of its job. */
async function startSweep (
  body: { connectionId: string, acceptMissing?: boolean },
  idempotencyKey: string
): Promise<string> {
  const answer = await hub.post('/stock/reconcile', { body, idempotencyKey })
  const [jobId] = 'jobIds' in answer ? answer.jobIds : []
  return jobId === undefined ? '/console/stock/sweeps' : addressOf.job(jobId)
}
