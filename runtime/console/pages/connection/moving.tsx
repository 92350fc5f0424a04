import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { hub } from '../../hub/hub.ts'
import { blocksMove, changesInWords, needsAgreement, otherWarnings, pinText } from '../../rules/moves.ts'
import { Action } from '../../show/action.tsx'
import { Diff } from '../../show/diff.tsx'
import { Icon } from '../../show/icon.tsx'
import type { Read } from './read.ts'

type Move = Schemas['Move']

/** Moves the connection to another version, after a preview. */
export function MoveButton ({ connection: { id, name, adapterKey: present }, etag, adapter }: Read & {
  adapter: Schemas['Adapter']
}): JSX.Element {
  const [isAgreed, setAgreed] = useState(false)
  const adapterKey = adapter.adapterKey ?? present
  const adapterVersion = adapter.version ?? ''
  const move = (more: { dryRun: boolean, confirm: boolean }): Promise<Move> =>
    hub.post('/connections/{id}/adapter', {
      path: { id },
      ifMatch: etag,
      body: { adapterKey, adapterVersion, ...more }
    })
  return (
    <Action<Move>
      label='Move…'
      scope='admin'
      title={`Move “${name}” to ${adapterKey}@${adapterVersion}`}
      confirm='Move'
      cli={[
        `linker connections move ${id} --to ${adapterVersion}`,
        ...(adapterKey === present ? [] : [`--key ${adapterKey}`]),
        ...(isAgreed ? ['--yes'] : [])
      ].join(' ')}
      plan={() => move({ dryRun: true, confirm: false })}
      blocked={plan => blocksMove(plan, isAgreed)}
      run={async () => {
        const { to } = await move({ dryRun: false, confirm: isAgreed })
        return { text: `“${name}” is served by ${pinText(to)} now.`, href: `/console/connections/${id}/adapter` }
      }}
    >
      {plan => (
        <>
          <Preview move={plan} />
          {needsAgreement(plan) && (
            <label class='check'>
              <input type='checkbox' checked={isAgreed} onChange={event => setAgreed(event.currentTarget.checked)} />
              I accept lost capabilities, new permissions and migrations that cannot be undone
            </label>
          )}
          <p class='muted'>
            The hub waits for running jobs, tests the connection with the new version, and moves it. Nothing is lost.
          </p>
        </>
      )}
    </Action>
  )
}

/** Undoes the last move, after a preview of what is given up. */
export function RollBackButton ({ connection: { id, name }, etag }: Pick<Read, 'connection' | 'etag'>): JSX.Element {
  const rollBack = (dryRun: boolean): Promise<Move> =>
    hub.post('/connections/{id}/adapter/rollback', { path: { id }, ifMatch: etag, body: { dryRun } })
  return (
    <Action<Move>
      label='Roll back…'
      scope='admin'
      title={`Roll the last move of “${name}” back`}
      confirm='Roll back'
      cli={`linker connections rollback ${id}`}
      plan={() => rollBack(true)}
      run={async () => {
        const { to } = await rollBack(false)
        return { text: `“${name}” is served by ${pinText(to)} again.` }
      }}
    >
      {plan => (
        <>
          <p>Version, config, capabilities and cursors become as they were before the move.</p>
          <Preview move={plan} />
        </>
      )}
    </Action>
  )
}

function Preview ({ move }: { move: Move }): JSX.Element {
  const words = changesInWords(move)
  return (
    <>
      <p>
        <code>{pinText(move.from)}</code> → <code>{pinText(move.to)}</code>
      </p>
      {words.length === 0
        ? <p>Capabilities, permissions and webhook events stay as they are.</p>
        : <ul class='listed'>{words.map(text => <li key={text}>{text}</li>)}</ul>}
      <Diff caption='Changes of the config, member by member' changes={move.changes.config} />
      {otherWarnings(move).map(({ code, message }) => (
        <p key={code + message} class='note warn'>
          <Icon name='warning' /> <span>{message}</span>
        </p>
      ))}
    </>
  )
}
