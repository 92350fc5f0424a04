import type { JSX } from 'preact'
import { hub } from '../../hub/hub.ts'
import { commandLine } from '../../rules/command-line.ts'
import type { Token } from '../../rules/tokens.ts'
import { Action } from '../../show/action.tsx'

/** Revokes a token, or signs a person out. The next request with it answers 401. */
export function EndToken ({ token: { id, name }, isSession }: { token: Token, isSession: boolean }): JSX.Element {
  return (
    <Action
      label={isSession ? 'Sign out' : 'Revoke'}
      scope='admin'
      title={isSession ? `Sign ${name} out` : `Revoke ${name}`}
      run={async () => {
        await hub.delete('/tokens/{id}', { path: { id } })
        return {
          text: isSession ? `${name} is signed out there.` : `${name} is revoked.`,
          href: `/console/audit?action=${isSession ? 'session.end' : 'token.revoke'}`
        }
      }}
      cli={isSession ? undefined : commandLine(['tokens', 'revoke', name])}
      call={{ method: 'DELETE', path: `/tokens/${id}` }}
      isGrave
    >
      <p>
        {isSession
          ? 'The next request of that browser is refused. Whoever has the token can sign in again.'
          : 'The next request with it is refused, and so are the sessions that began with it. It cannot come back.'}
      </p>
    </Action>
  )
}
