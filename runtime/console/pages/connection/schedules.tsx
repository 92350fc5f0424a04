import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { hub } from '../../hub/hub.ts'
import { useLive } from '../../hub/live.ts'
import { randomKey } from '../../hub/random-key.ts'
import { addressOf } from '../../rules/addresses.ts'
import { Action, QuickAction } from '../../show/action.tsx'
import { Loaded } from '../../show/loaded.tsx'
import { Section } from '../../show/page.tsx'
import { State } from '../../show/state.tsx'
import { Table } from '../../show/table.tsx'
import { Ago } from '../../show/time.tsx'
import type { Read } from './read.ts'

type Schedule = Schemas['Schedule']

/** Lists the schedules of the connection. */
export function Schedules ({ connection: { id } }: Read): JSX.Element {
  const live = useLive(signal => hub.get('/schedules', { query: { connectionId: id }, signal }), [id])
  return (
    <Section title='Schedules'>
      <Loaded live={live}>
        {schedules => (
          <Table
            caption='Jobs that the hub makes at regular times'
            rows={schedules}
            keyOf={({ name }) => name}
            columns={[
              {
                head: 'Schedule',
                cell: ({ name, job }) => (
                  <>
                    <strong>{name}</strong>
                    <br />
                    <code>{job}</code>
                  </>
                )
              },
              {
                head: 'State',
                cell: ({ enabled }) => <State name={enabled ? 'on' : 'off'} tone={enabled ? 'good' : 'idle'} />
              },
              { head: 'Every', cell: ({ every }) => every },
              { head: 'Next', cell: ({ nextAt }) => <Ago at={nextAt} none='not planned' /> },
              {
                head: 'Last',
                cell: ({ lastJobId, lastJobStatus }) =>
                  lastJobId === undefined
                    ? <span class='muted'>none lately</span>
                    : (
                      <a href={addressOf.job(lastJobId)}>
                        {lastJobStatus === undefined ? 'job' : <State name={lastJobStatus} />}
                      </a>
                    )
              },
              { head: 'Actions', cell: schedule => <Doings schedule={schedule} /> }
            ]}
            empty={<p class='muted'>No schedule works for this connection: its adapter reads nothing by the clock.</p>}
          />
        )}
      </Loaded>
    </Section>
  )
}

function Doings ({ schedule }: { schedule: Schedule }): JSX.Element {
  const { connectionId, name, job } = schedule
  return (
    <span class='actions'>
      <Change schedule={schedule} />
      <QuickAction
        label='Run now'
        scope='operate'
        run={async () => {
          const { jobId } = await hub.post('/jobs', {
            idempotencyKey: randomKey(),
            body: { jobType: job, connectionId, payload: {} }
          })
          return { text: `The job of ${name} is queued.`, href: addressOf.job(jobId) }
        }}
      />
    </span>
  )
}

function Change ({ schedule: { connectionId, name, every: before, enabled: wasOn } }: {
  schedule: Schedule
}): JSX.Element {
  const [every, setEvery] = useState(before)
  const [enabled, setEnabled] = useState(wasOn)
  const body = { enabled, every: every.trim() === '' ? null : every.trim() }
  return (
    <Action
      label='Change…'
      scope='operate'
      title={`Change ${name}`}
      confirm='Save'
      call={{ method: 'PATCH', path: `/connections/${connectionId}/schedules/${name}`, body }}
      run={async () => {
        const next = await hub.patch('/connections/{id}/schedules/{name}', { path: { id: connectionId, name }, body })
        return { text: `${name} ${next.enabled ? `runs every ${next.every}` : 'is off'}.` }
      }}
    >
      <label class='check'>
        <input type='checkbox' checked={enabled} onChange={event => setEnabled(event.currentTarget.checked)} />
        On
      </label>
      <label>
        <span>Every</span>
        <input value={every} placeholder='the default' onInput={event => setEvery(event.currentTarget.value)} />
      </label>
      <p class='muted'>Such as 30s, 2m, 6h or 1d. Empty takes the interval of the configuration again.</p>
    </Action>
  )
}
