import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { hub } from '../../hub/hub.ts'
import { addressOf } from '../../rules/addresses.ts'
import { Action, QuickAction } from '../../show/action.tsx'

type Connection = Schemas['Connection']

const whole = ''

/** Pauses the connection or one of its capabilities, with a reason and perhaps an end. */
export function PauseButton ({ connection: { id, name, capabilities = [] } }: {
  connection: Pick<Connection, 'id' | 'name'> & Partial<Pick<Connection, 'capabilities'>>
}): JSX.Element {
  const [reason, setReason] = useState('')
  const [until, setUntil] = useState('')
  const [capability, setCapability] = useState(whole)
  const end = until === '' ? undefined : new Date(until).toISOString()

  async function pause () {
    await hub.post('/connections/{id}/pause', {
      path: { id },
      body: {
        ...(capability === whole ? {} : { capabilities: [capability] }),
        ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
        ...(end === undefined ? {} : { until: end })
      }
    })
    return {
      text: `“${name}” is paused${capability === whole ? '' : ` for ${capability}`}.`,
      href: addressOf.connection(id)
    }
  }

  return (
    <Action
      label='Pause'
      scope='operate'
      title={`Pause “${name}”`}
      run={pause}
      cli={[
        `linker connections pause ${id}`,
        ...(capability === whole ? [] : [`--capability ${capability}`]),
        ...(end === undefined ? [] : [`--until ${end}`]),
        ...(reason.trim() === '' ? [] : [`--reason "${reason.trim()}"`])
      ].join(' ')}
    >
      <p>Events that arrive are kept, and jobs wait until the pause ends.</p>
      {capabilities.length > 0 && (
        <label>
          <span>What</span>
          <select value={capability} onChange={event => setCapability(event.currentTarget.value)}>
            <option value={whole}>the whole connection</option>
            {capabilities.map(each => <option key={each} value={each}>only {each}</option>)}
          </select>
        </label>
      )}
      <label>
        <span>Reason</span>
        <input
          value={reason}
          maxLength={500}
          placeholder='Maintenance of the shop'
          onInput={event => setReason(event.currentTarget.value)}
        />
      </label>
      <label>
        <span>Ends by itself at</span>
        <input type='datetime-local' value={until} onInput={event => setUntil(event.currentTarget.value)} />
      </label>
      <p class='muted'>Without a time the pause stands until somebody resumes the connection.</p>
    </Action>
  )
}

/** One button for each pause that stands. */
export function ResumeButton ({ connection: { id, name, pauses } }: {
  connection: Pick<Connection, 'id' | 'name' | 'pauses'>
}): JSX.Element {
  return (
    <>
      {pauses.map(({ capability }) => (
        <QuickAction
          key={capability ?? whole}
          isPrimary
          label={capability === null ? 'Resume' : `Resume ${capability}`}
          scope='operate'
          run={async () => {
            await hub.post('/connections/{id}/resume', {
              path: { id },
              body: capability === null ? {} : { capabilities: [capability] }
            })
            return { text: `“${name}” goes on${capability === null ? '' : ` with ${capability}`}.` }
          }}
        />
      ))}
    </>
  )
}
