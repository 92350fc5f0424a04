import type { JSX } from 'preact'
import { may, session } from '../hub/session.ts'
import { Facts } from '../show/facts.tsx'
import { Page, Section } from '../show/page.tsx'
import { Ago } from '../show/time.tsx'
import { Sessions } from './access/sessions.tsx'
import { Tokens } from './access/tokens.tsx'

/** Who may use the hub: the own session, the named tokens, and the people who are signed in. */
export default function Access (): JSX.Element {
  return (
    <Page title='Access' lead='Who may? Each person and program has a token of its own, so the audit can name them.'>
      <Own />
      {may('admin')
        ? (
          <>
            <Tokens />
            <Sessions />
          </>
        )
        : <p class='note info'>Only the scope admin sees and changes tokens and sessions.</p>}
    </Page>
  )
}

function Own (): JSX.Element | null {
  const { value: who } = session
  if (who === null || who === undefined) return null
  const { name, scope, expiresAt, isSession } = who
  return (
    <Section title='You'>
      <Facts
        of={[
          ['Name', name],
          ['Scope', scope],
          [isSession ? 'Session ends' : 'Token ends', <Ago key='end' at={expiresAt} none='no end' />]
        ]}
      />
    </Section>
  )
}
