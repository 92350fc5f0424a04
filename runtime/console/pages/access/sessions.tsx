import type { JSX } from 'preact'
import { hub, toPage } from '../../hub/hub.ts'
import { useRows } from '../../hub/live.ts'
import type { Token } from '../../rules/tokens.ts'
import { Section } from '../../show/page.tsx'
import { LiveTable } from '../../show/table.tsx'
import { Ago } from '../../show/time.tsx'
import { EndToken } from './end-token.tsx'

/** The people who are signed in at this console. */
export function Sessions (): JSX.Element {
  const live = useRows(
    async (cursor, signal) =>
      toPage(await hub.request('get', '/tokens', { query: { kind: 'session', cursor }, signal })),
    []
  )
  return (
    <Section title='Sessions'>
      <LiveTable<Token>
        live={live}
        caption='Who is signed in; a session lasts 12 hours at most'
        keyOf={({ id }) => id}
        columns={[
          { head: 'Name', cell: ({ name }) => <strong>{name}</strong> },
          { head: 'Scope', cell: ({ scope }) => scope },
          { head: 'Signed in', cell: ({ createdAt }) => <Ago at={createdAt} /> },
          { head: 'Last used', cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} /> },
          { head: 'Ends', cell: ({ expiresAt }) => <Ago at={expiresAt} /> },
          {
            head: 'Actions',
            cell: token => (
              <span class='actions'>
                <EndToken token={token} isSession />
              </span>
            )
          }
        ]}
        empty={<p class='muted'>Nobody is signed in with a cookie.</p>}
      />
    </Section>
  )
}
