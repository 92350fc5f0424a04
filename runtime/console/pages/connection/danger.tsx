import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { hub } from '../../hub/hub.ts'
import { may } from '../../hub/session.ts'
import { blocksDeletion } from '../../rules/deletion.ts'
import { Action } from '../../show/action.tsx'
import { Icon } from '../../show/icon.tsx'
import { Section } from '../../show/page.tsx'
import { Prose } from '../../show/prose.tsx'
import { Table } from '../../show/table.tsx'
import type { Read } from './read.ts'

type Deletion = Schemas['ConnectionDeletion']

/** Taking the connection out of service, for a while or for good. */
export function Danger ({ connection, etag }: Pick<Read, 'connection' | 'etag'>): JSX.Element | null {
  if (!may('operate')) return null
  return (
    <Section
      title='Out of service'
      actions={
        <>
          {connection.status === 'disabled' ?
            <Enable connection={connection} etag={etag} /> :
            <Disable connection={connection} etag={etag} />}
          <Delete connection={connection} etag={etag} />
        </>
      }
    >
      <p class='muted'>
        A disabled connection refuses its webhooks, and its jobs wait. To keep its events for later, pause it instead.
      </p>
    </Section>
  )
}

type Of = Pick<Read, 'connection' | 'etag'>

function Disable ({ connection: { id, name }, etag }: Of): JSX.Element {
  const [reason, setReason] = useState('')
  return (
    <Action
      label='Disable'
      scope='operate'
      title={`Disable “${name}”`}
      isGrave
      cli={`linker connections disable ${id}${reason.trim() === '' ? '' : ` --reason "${reason.trim()}"`}`}
      run={async () => {
        await hub.patch('/connections/{id}/disable', {
          path: { id },
          ifMatch: etag,
          body: reason.trim() === '' ? {} : { reason: reason.trim() }
        })
        return { text: `“${name}” is disabled: its webhooks are refused and its jobs wait.` }
      }}
    >
      <p>Its webhooks are refused and lost, and its jobs wait until it is enabled.</p>
      <label>
        <span>Reason</span>
        <input value={reason} maxLength={500} onInput={event => setReason(event.currentTarget.value)} />
      </label>
    </Action>
  )
}

function Enable ({ connection: { id, name }, etag }: Of): JSX.Element {
  return (
    <Action
      label='Enable'
      scope='operate'
      title={`Enable “${name}”`}
      isPrimary
      cli={`linker connections enable ${id}`}
      run={async () => {
        await hub.patch('/connections/{id}/enable', { path: { id }, ifMatch: etag })
        return { text: `“${name}” is enabled: its jobs go on.` }
      }}
    >
      <p>Its webhooks are accepted again, and the jobs that waited go on at once.</p>
    </Action>
  )
}

function Delete ({ connection: { id, name }, etag }: Of): JSX.Element {
  const [typed, setTyped] = useState('')
  const [isForced, setForced] = useState(false)
  return (
    <Action<Deletion>
      label='Delete…'
      scope='admin'
      title={`Delete “${name}”`}
      confirm='Delete for good'
      isGrave
      cli={`linker connections delete ${id}${isForced ? ' --force' : ''}`}
      plan={() => hub.delete('/connections/{id}', { path: { id }, query: { dryRun: true } })}
      blocked={plan => blocksDeletion(plan, { isForced, typed, name })}
      run={async () => {
        await hub.delete('/connections/{id}', { path: { id }, query: { force: isForced }, ifMatch: etag })
        return { text: `“${name}” is deleted. Its orders, jobs and audit entries stay.`, opens: '/console/connections' }
      }}
    >
      {plan => (
        <>
          <Plan plan={plan} />
          {plan.openOrders > 0 && (
            <label class='check'>
              <input type='checkbox' checked={isForced} onChange={event => setForced(event.currentTarget.checked)} />
              Delete it although it has open orders
            </label>
          )}
          <label>
            <span>Type the name of the connection</span>
            <input value={typed} autocomplete='off' onInput={event => setTyped(event.currentTarget.value)} />
          </label>
        </>
      )}
    </Action>
  )
}

function Plan ({ plan: { obstacles, removed, kept, cancelledJobs } }: { plan: Deletion }): JSX.Element {
  const rows = [
    ...removed.map(row => ({ ...row, fate: 'removed' })),
    { what: 'waiting jobs', count: cancelledJobs, fate: 'cancelled' },
    ...kept.map(row => ({ ...row, fate: 'stays' }))
  ].filter(({ count }) => count > 0)
  return (
    <>
      {obstacles.map(({ code, message }) => (
        <p key={code + message} class='note warn'>
          <Icon name='warning' />
          <span>
            In the way: <Prose text={message} />
          </span>
        </p>
      ))}
      <Table
        caption='What happens to what belongs to it'
        rows={rows}
        keyOf={({ what, fate }) => `${what} ${fate}`}
        columns={[
          { head: 'What', cell: ({ what }) => what },
          { head: 'Count', cell: ({ count }) => count, isNumber: true },
          { head: 'Fate', cell: ({ fate }) => fate }
        ]}
        empty={<p>Nothing else belongs to it.</p>}
      />
    </>
  )
}
