import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { nowMs } from '../../hub/clock.ts'
import { hub } from '../../hub/hub.ts'
import { commandLine } from '../../rules/command-line.ts'
import { endAfter, lives, scopes, type TokenScope } from '../../rules/tokens.ts'
import { Action } from '../../show/action.tsx'
import type { Made } from './made-token.tsx'

/** Makes a token for a person or a program. The page then shows it once. */
export function NewToken ({ onMade }: { onMade: (made: Made) => void }): JSX.Element {
  const [text, setText] = useState('')
  const [scope, setScope] = useState<TokenScope>('read')
  const [days, setDays] = useState('90')
  const name = text.trim()

  return (
    <Action
      label='New token'
      scope='admin'
      title='New token'
      confirm='Create'
      blocked={() => name === '' ? 'Give it a name.' : undefined}
      run={async () => {
        const expiresAt = endAfter(days, nowMs())
        const made = await hub.post('/tokens', {
          body: { name, scope, ...(expiresAt === undefined ? {} : { expiresAt }) }
        })
        onMade(made)
        setText('')
        return { text: `${name} has a token. Copy it now: it is shown only this once.` }
      }}
      cli={commandLine(['tokens', 'create'], { name, scope, days: days === '' ? undefined : days })}
      call={{ method: 'POST', path: '/tokens', body: { name, scope, expiresAt: endAfter(days, nowMs()) } }}
      isPrimary
    >
      <label>
        <span>Name</span>
        <input
          value={text}
          maxLength={100}
          placeholder='who uses it; the audit names it'
          autocomplete='off'
          onInput={event => setText(event.currentTarget.value)}
        />
      </label>
      <fieldset>
        <legend>It may</legend>
        {scopes.map(([value, allows]) => (
          <label key={value} class='check'>
            <input type='radio' name='scope' checked={scope === value} onChange={() => setScope(value)} />
            <span>
              <strong>{value}</strong>: {allows}
            </span>
          </label>
        ))}
      </fieldset>
      <label>
        <span>Ends after</span>
        <select value={days} onChange={event => setDays(event.currentTarget.value)}>
          {lives.map(([value, title]) => <option key={title} value={value}>{title}</option>)}
        </select>
      </label>
    </Action>
  )
}
