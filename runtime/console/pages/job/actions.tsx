import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { hub } from '../../hub/hub.ts'
import { addressOf } from '../../rules/addresses.ts'
import { commandLine } from '../../rules/command-line.ts'
import { canCancel, canRetry, nameOfCancel } from '../../rules/jobs.ts'
import { Action } from '../../show/action.tsx'

type Job = Schemas['Job']

/** Runs a dead or cancelled job again, with all its attempts. */
export function RetryJob ({ job: { id, status, jobType } }: { job: Job }): JSX.Element | null {
  if (!canRetry(status)) return null
  return (
    <Action
      label='Retry'
      scope='operate'
      title={`Run again: ${jobType}`}
      run={async idempotencyKey => {
        const job = await hub.post('/jobs/{id}/retry', { path: { id }, idempotencyKey })
        return { text: `The job runs again; it is ${job.status}.`, href: addressOf.job(id) }
      }}
      cli={commandLine(['jobs', 'retry', id])}
      call={{ method: 'POST', path: `/jobs/${id}/retry` }}
      isPrimary
    >
      <p>The job gets all its attempts again. When its reason is not gone, it dies again.</p>
    </Action>
  )
}

/** Ends a job that has not succeeded; a dead one leaves the lists of dead jobs. */
export function CancelJob ({ job: { id, status, jobType } }: { job: Job }): JSX.Element | null {
  const [text, setText] = useState('')
  if (!canCancel(status)) return null
  const label = nameOfCancel(status)
  const reason = text.trim() === '' ? undefined : text.trim()
  return (
    <Action
      label={label}
      scope='operate'
      title={`${label}: ${jobType}`}
      confirm={label === 'Cancel' ? 'Cancel the job' : label}
      run={async idempotencyKey => {
        const job = await hub.post('/jobs/{id}/cancel', { path: { id }, body: { reason }, idempotencyKey })
        return {
          text: job.finishedAt === null ? 'The job is being broken off.' : `The job is ${job.status}.`,
          href: addressOf.job(id)
        }
      }}
      cli={commandLine(['jobs', 'cancel', id], { reason })}
      call={{ method: 'POST', path: `/jobs/${id}/cancel`, body: { reason } }}
      isGrave
    >
      <p>
        {status === 'running'
          ? 'The hub breaks off its request. The platform may have carried it out all the same.'
          : 'The job ends as cancelled. It can still be retried later.'}
      </p>
      <label>
        <span>Reason</span>
        <input
          value={text}
          maxLength={500}
          placeholder='shown with the job and in the audit'
          onInput={event => setText(event.currentTarget.value)}
        />
      </label>
    </Action>
  )
}
