import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { nowMs } from '../../hub/clock.ts'
import { hub } from '../../hub/hub.ts'
import { addressOf } from '../../rules/addresses.ts'
import { commandLine } from '../../rules/command-line.ts'
import { leftOutOf, nameOfEvent, type ReplaySummary } from '../../rules/deliveries.ts'
import { withFilter, type Filter } from '../../rules/filters.ts'
import { countOf } from '../../rules/words.ts'
import { Action } from '../../show/action.tsx'
import { toApi, type FilterName } from './filter.ts'

/** Replays all deliveries that the filter of the page meets, after a plan. */
export function ReplayMatching ({ filter }: { filter: Filter<FilterName> }): JSX.Element {
  const [includeReplayed, setIncludeReplayed] = useState(false)
  const body = { filter: toApi(filter, nowMs()), includeReplayed }
  const { provider, connectionId, eventType, eventId, status, replayed, since, until } = filter

  return (
    <Action<ReplaySummary>
      label='Replay these'
      scope='operate'
      title='Replay the deliveries of this filter'
      plan={() => hub.post('/webhook-deliveries/replay', { body: { ...body, dryRun: true } })}
      blocked={plan => {
        if (plan === undefined || plan.jobs > 0 || includeReplayed) return undefined
        return 'None of these deliveries would start a job.'
      }}
      run={async idempotencyKey => {
        const { jobs } = await hub.post('/webhook-deliveries/replay', {
          body: { ...body, dryRun: false },
          idempotencyKey
        })
        return {
          text: `${countOf(jobs, 'delivery is', 'deliveries are')} replayed.`,
          href: withFilter('/console/deliveries', { ...filter, replayed: 'true' })
        }
      }}
      cli={commandLine(['deliveries', 'replay'], {
        provider,
        connection: connectionId,
        type: eventType,
        event: eventId,
        status,
        replayed,
        since,
        until,
        'include-replayed': includeReplayed
      })}
      call={{ method: 'POST', path: '/webhook-deliveries/replay', body }}
    >
      {plan => (
        <>
          <Plan plan={plan} includeReplayed={includeReplayed} />
          <label class='check'>
            <input
              type='checkbox'
              checked={includeReplayed}
              onChange={event => setIncludeReplayed(event.currentTarget.checked)}
            />
            Also those of which a replay succeeded or has not ended
          </label>
        </>
      )}
    </Action>
  )
}

function Plan ({ plan, includeReplayed }: { plan: ReplaySummary, includeReplayed: boolean }): JSX.Element {
  const { jobs, matched, isMore, sample, alreadyReplayed } = plan
  const leftOut = leftOutOf(plan, includeReplayed)
  return (
    <>
      <p>
        <strong>{includeReplayed ? jobs + alreadyReplayed : jobs}</strong> of {isMore && 'at least '}
        {countOf(matched, 'delivery', 'deliveries')} would start a job.
      </p>
      {leftOut.length > 0 && <ul class='skipped'>{leftOut.map(line => <li key={line}>{line}</li>)}</ul>}
      {sample.length > 0 && (
        <details>
          <summary>{sample.length === 1 ? 'The newest one' : `The newest ${sample.length}`}</summary>
          <ul class='sample'>
            {sample.map(delivery => (
              <li key={delivery.id}>
                <a href={addressOf.delivery(delivery.id)} target='_blank' rel='noopener'>{nameOfEvent(delivery)}</a>
                {' '}
                {delivery.externalId} <span class='muted'>{delivery.outcome}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
