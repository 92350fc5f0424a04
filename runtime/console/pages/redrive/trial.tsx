import type { ComponentChildren, JSX } from 'preact'
import { trialOf, type Redrive } from '../../rules/redrives.ts'
import { Icon } from '../../show/icon.tsx'

/** How the first jobs ended, and what to do with the others. */
export function Trial ({ redrive, children }: { redrive: Redrive, children: ComponentChildren }): JSX.Element {
  const { first, remaining, succeeded } = redrive
  const jobs = first === 1 ? 'The first job' : `The first ${first} jobs`
  const trial = trialOf(redrive)
  if (trial === 'running') {
    return (
      <div class='note info'>
        <Icon name='running' />
        <p>{jobs} {first === 1 ? 'runs' : 'run'} again. The other {remaining} wait for the end.</p>
      </div>
    )
  }
  const isWell = trial === 'well'
  return (
    <div class={`note ${isWell ? 'good' : 'bad'}`}>
      <Icon name={isWell ? 'ok' : 'error'} />
      <div>
        <p>
          {isWell
            ? `${jobs} ${succeeded === first ? 'succeeded' : 'did not die again'}. ${remaining} ${
              remaining === 1 ? 'waits' : 'wait'
            } for you.`
            : `${jobs} died again, so the others would probably die again, too. Look at the reason below first.`}
        </p>
        <p class='actions'>{children}</p>
      </div>
    </div>
  )
}
