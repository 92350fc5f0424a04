import type { JSX } from 'preact'
import type { Connections } from '../../hub/connections.ts'
import { addressOf } from '../../rules/addresses.ts'
import { Section } from '../../show/page.tsx'

/** The hub keeps no refused delivery, only counts, which stand with their connection. */
export function Refused ({ connections }: { connections: Connections }): JSX.Element {
  const hooked = connections.all.filter(({ webhooksConfigured }) => webhooksConfigured)
  return (
    <Section title='Refused deliveries'>
      <p class='muted'>
        The hub keeps no refused delivery, only counts by reason with a remedy for each. They stand on the page of the
        connection.
      </p>
      {hooked.length > 0 && (
        <ul class='actions links'>
          {hooked.map(({ id, name }) => (
            <li key={id}>
              <a class='button small' href={`${addressOf.connection(id)}/webhooks`}>{name}</a>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
