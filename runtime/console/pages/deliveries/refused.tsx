import type { JSX } from 'preact'
import type { Connections } from '../../hub/connections.ts'
import { hub } from '../../hub/hub.ts'
import { useLive } from '../../hub/live.ts'
import { addressOf } from '../../rules/addresses.ts'
import { refusalsOf } from '../../rules/refusals.ts'
import { Section } from '../../show/page.tsx'
import { Table } from '../../show/table.tsx'

const mostButtons = 12

/** The hub keeps no refused delivery, only counts, which stand with their connection. */
export function Refused ({ connections, connectionId }: {
  connections: Connections,
  connectionId: string | undefined
}): JSX.Element {
  const { data } = useLive(signal => hub.get('/figures', { query: { connectionId }, signal }), [connectionId], {
    everyMs: 60_000
  })
  const hooked = connections.all.filter(({ id, webhooksConfigured }) =>
    webhooksConfigured && id === (connectionId ?? id)
  )
  return (
    <Section title='Refused deliveries'>
      <p class='muted'>
        The hub keeps no refused delivery, only counts by reason. The page of a connection has a remedy for each.
      </p>
      <Table
        caption='Refused in the last 24 hours'
        rows={refusalsOf(data?.refused ?? {})}
        keyOf={({ code }) => code}
        columns={[
          { head: 'Reason', cell: ({ code }) => <code>{code}</code> },
          { head: 'Count', cell: ({ count }) => count, isNumber: true }
        ]}
        empty={<p>The hub counted no refusal in the last 24 hours. The present minute is not counted yet.</p>}
      />
      {hooked.length > 0 && hooked.length <= mostButtons && (
        <ul class='actions links'>
          {hooked.map(({ id }) => (
            <li key={id}>
              <a class='button small' href={`${addressOf.connection(id)}/webhooks`}>{connections.nameOf(id)}</a>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
