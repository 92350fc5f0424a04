import type { JSX } from 'preact'
import { AuthorisationForm } from '../../form/authorisation-form.tsx'
import type { Platform } from '../../rules/platforms.ts'
import { Section } from '../../show/page.tsx'

/** A new connection whose account is authorised at the platform. */
export function Authorise ({ platform: { usual: adapter } }: { platform: Platform }): JSX.Element {
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
