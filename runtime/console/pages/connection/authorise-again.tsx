import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { AuthorisationForm } from '../../form/authorisation-form.tsx'
import { fieldsOf, type Schema } from '../../form/fields-of.ts'
import { may } from '../../hub/session.ts'
import type { Serving } from '../../rules/platforms.ts'
import { Section } from '../../show/page.tsx'

/** Authorises the account again, for example when its token can no longer be renewed. */
export function AuthoriseAgain ({ connection, adapter }: {
  connection: Schemas['Connection'],
  adapter: Serving
}): JSX.Element | null {
  const { query } = useLocation()
  // An account whose token has ended needs nothing else.
  const [isOpen, setOpen] = useState(query.error !== undefined || connection.status === 'error')
  const members = fieldsOf((adapter.authorisation?.schema ?? {}) as Schema) ?? []
  // A form without this member can only make new connections.
  if (!members.some(({ name }) => name === 'connectionId')) return null
  return (
    <Section
      title='Authorisation'
      actions={may('admin') && !isOpen && <button type='button' onClick={() => setOpen(true)}>Authorise again…</button>}
    >
      <p class='muted'>
        The account was authorised at the platform. Do it again when its token has ended; jobs that wait then go on.
      </p>
      {isOpen && (
        <AuthorisationForm
          adapter={adapter}
          page={`/console/connections/${connection.id}/settings`}
          known={{ ...connection.config, connectionName: connection.name, connectionId: connection.id }}
        />
      )}
    </Section>
  )
}
