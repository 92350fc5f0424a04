import type { JSX } from 'preact'
import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { hub } from '../../hub/hub.ts'
import { addressOf } from '../../rules/addresses.ts'
import { commandLine, jobOptions } from '../../rules/command-line.ts'
import { filterOfGroup, type JobGroup } from '../../rules/job-groups.ts'
import { leastMs, type RedrivePlan } from '../../rules/redrives.ts'
import { duration } from '../../rules/times.ts'
import { Action } from '../../show/action.tsx'
import { PlanOf } from './plan.tsx'

interface Plan extends RedrivePlan {
  /** The rate that the platform allows now. Undefined: no limit, or the connection is gone. */
  ratePerSecond: number | undefined
}

const mostPerMinute = 10_000

/**
 * Runs the jobs of a group again. By default it tries one of them first: when the reason is not
 * gone, one job dies again and not all of them.
 */
export function RetryGroup ({ group }: { group: JobGroup }): JSX.Element {
  const { route } = useLocation()
  const [triesFirst, setTriesFirst] = useState(true)
  const [rate, setRate] = useState('')
  const filter = filterOfGroup(group)
  const perMinute = /^\d+$/.test(rate) ? Number(rate) : undefined
  const first = triesFirst && group.count > 1 ? 1 : undefined

  async function plan (): Promise<Plan> {
    const [found, ratePerSecond] = await Promise.all([
      hub.post('/jobs/retry', { body: { filter, dryRun: true } }),
      rateOf(filter.connectionId)
    ])
    return { ...(found as RedrivePlan), ratePerSecond }
  }

  return (
    <Action<Plan>
      label='Retry all'
      scope='operate'
      title={`Run dead jobs again: ${group.jobType}`}
      plan={plan}
      confirm={first === undefined ? 'Retry all' : 'Try 1 first'}
      blocked={found => {
        if (found !== undefined && found.eligible === 0) return 'None of these jobs can run again.'
        if (rate !== '' && (perMinute === undefined || perMinute < 1 || perMinute > mostPerMinute)) {
          return `Give a number from 1 to ${mostPerMinute} for the pace.`
        }
        return undefined
      }}
      run={async idempotencyKey => {
        const { id, total } = await hub.post('/jobs/retry', {
          body: { filter, first, perMinute, dryRun: false },
          idempotencyKey
        }) as { id: string, total: number }
        route(addressOf.redrive(id))
        return {
          text: first === undefined
            ? `The hub runs ${total} jobs again.`
            : 'The hub runs one job again; the others wait for its end.'
        }
      }}
      cli={commandLine(['jobs', 'redrive'], { ...jobOptions(filter), first, 'per-minute': perMinute })}
      call={{ method: 'POST', path: '/jobs/retry', body: { filter, first, perMinute } }}
    >
      {found => (
        <>
          <PlanOf plan={found} eligible={found.eligible} does='would run again' />
          <Pace plan={found} perMinute={perMinute} />
          <fieldset>
            <legend>How many at once</legend>
            <label class='check'>
              <input type='radio' name='first' checked={triesFirst} onChange={() => setTriesFirst(true)} />
              Try 1 first; I decide about the others when it has ended
            </label>
            <label class='check'>
              <input type='radio' name='first' checked={!triesFirst} onChange={() => setTriesFirst(false)} />
              All of them now
            </label>
          </fieldset>
          <label>
            <span>At most so many in a minute</span>
            <input
              inputMode='numeric'
              value={rate}
              placeholder='as fast as the hub can'
              onInput={event => setRate(event.currentTarget.value.trim())}
            />
          </label>
        </>
      )}
    </Action>
  )
}

function Pace ({ plan, perMinute }: { plan: Plan, perMinute: number | undefined }): JSX.Element | null {
  const { eligible, ratePerSecond } = plan
  const ms = leastMs(eligible, { ratePerSecond, perMinute })
  if (ms === undefined || eligible === 0) return null
  return (
    <p>
      This takes at least <strong>{duration(ms)}</strong>: each job sends one request or more
      {ratePerSecond !== undefined && <>, and the platform now takes {ratePerSecond} in a second</>}.
    </p>
  )
}

/** Without the rate, the plan says less; it is no reason not to show the plan. */
async function rateOf (connectionId: string | undefined): Promise<number | undefined> {
  if (connectionId === undefined) return undefined
  const traffic = await hub.get('/connections/{id}/upstream', { path: { id: connectionId } }).catch(() => undefined)
  return traffic?.budget.effective?.ratePerSecond
}
