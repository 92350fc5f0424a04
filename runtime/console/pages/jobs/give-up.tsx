import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { hub } from '../../hub/hub.ts'
import { commandLine, jobOptions } from '../../rules/command-line.ts'
import { filterOfGroup, type JobGroup } from '../../rules/job-groups.ts'
import { Action } from '../../show/action.tsx'
import { PlanOf } from './plan.tsx'

type Result = Schemas['CancelDeadResult']

/** Ends the dead jobs of a group as cancelled, for work that nobody needs any more. */
export function GiveUpGroup ({ group }: { group: JobGroup }): JSX.Element {
  const [text, setText] = useState('')
  const filter = filterOfGroup(group)
  const reason = text.trim() === '' ? undefined : text.trim()
  const eligibleOf = ({ byGroup }: Result): number => byGroup.reduce((sum, { count }) => sum + count, 0)

  return (
    <Action<Result>
      label='Give up'
      scope='operate'
      title={`Give up dead jobs: ${group.jobType}`}
      plan={() => hub.post('/jobs/cancel', { body: { filter, dryRun: true } })}
      blocked={plan =>
        plan !== undefined && eligibleOf(plan) === 0 ? 'None of these jobs is dead any more.' : undefined}
      run={async idempotencyKey => {
        const { cancelled } = await hub.post('/jobs/cancel', {
          body: { filter, reason, dryRun: false },
          idempotencyKey
        })
        return {
          text: cancelled === 1 ? '1 job is cancelled.' : `${cancelled} jobs are cancelled.`,
          href: '/console/jobs?status=cancelled'
        }
      }}
      cli={commandLine(['jobs', 'cancel-dead'], { ...jobOptions(filter), reason })}
      call={{ method: 'POST', path: '/jobs/cancel', body: { filter, reason } }}
      isGrave
    >
      {plan => (
        <>
          <PlanOf plan={plan} eligible={eligibleOf(plan)} does='would end as cancelled' />
          <p>They leave the lists of dead jobs. Each of them can still be retried by itself.</p>
          <label>
            <span>Reason</span>
            <input
              value={text}
              maxLength={500}
              placeholder='shown with the jobs and in the audit'
              onInput={event => setText(event.currentTarget.value)}
            />
          </label>
        </>
      )}
    </Action>
  )
}
