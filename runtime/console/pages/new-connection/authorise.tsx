import type { JSX } from 'preact'
import { AuthorisationForm } from '../../form/authorisation-form.tsx'
import type { Serving } from '../../rules/platforms.ts'
import { Section } from '../../show/page.tsx'

/** A new connection whose account is authorised at the platform. */
export function Authorise ({ adapter }: { adapter: Serving }): JSX.Element {
  return (
    <Section title='Authorise the account'>
      <AuthorisationForm
        adapter={adapter}
        page={`/console/connections/new/${adapter.platformType}`}
        known={{ connectionName: adapter.displayName ?? '' }}
      />
    </Section>
  )
}
