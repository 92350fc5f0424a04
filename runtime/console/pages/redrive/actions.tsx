import type { JSX } from 'preact'
import { hub } from '../../hub/hub.ts'
import { addressOf } from '../../rules/addresses.ts'
import { commandLine } from '../../rules/command-line.ts'
import { canStop, trialOf, type Redrive } from '../../rules/redrives.ts'
import { Action } from '../../show/action.tsx'

/** Lets the jobs run that are left, after the first ones have ended. */
export function ContinueRedrive ({ redrive }: { redrive: Redrive }): JSX.Element {
  const { id, remaining } = redrive
  const label = remaining === 1 ? 'Retry the other one' : `Retry the other ${remaining}`
  return (
    <Action
      label={label}
      scope='operate'
      title={label}
      run={async idempotencyKey => {
        await hub.post('/redrives/{id}/continue', { path: { id }, idempotencyKey })
        return { text: `The hub runs the other ${remaining} jobs again.`, href: addressOf.redrive(id) }
      }}
      cli={commandLine(['jobs', 'redrive', 'continue', id])}
      call={{ method: 'POST', path: `/redrives/${id}/continue` }}
      isPrimary={trialOf(redrive) === 'well'}
    >
      <p>The hub runs the jobs again that are left. Stop ends it at any time; jobs that already run then go on.</p>
    </Action>
  )
}

/** Runs no more jobs. Those that are left stay dead, so another redrive can take them. */
export function StopRedrive ({ redrive }: { redrive: Redrive }): JSX.Element | null {
  const { id, remaining } = redrive
  if (!canStop(redrive)) return null
  return (
    <Action
      label='Stop'
      scope='operate'
      title='Stop this bulk retry'
      run={async idempotencyKey => {
        await hub.post('/redrives/{id}/stop', { path: { id }, idempotencyKey })
        return { text: `Stopped. ${remaining} jobs stay dead.`, href: '/console/jobs?status=dead' }
      }}
      cli={commandLine(['jobs', 'redrive', 'stop', id])}
      call={{ method: 'POST', path: `/redrives/${id}/stop` }}
      isGrave
    >
      <p>Jobs that already run again go on. The {remaining} that are left stay dead; another bulk retry takes them.</p>
    </Action>
  )
}
