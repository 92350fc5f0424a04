import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { clock } from '../../hub/clock.ts'
import { hub, toPage } from '../../hub/hub.ts'
import { useRows } from '../../hub/live.ts'
import { withFilter } from '../../rules/filters.ts'
import { isOver, type Token } from '../../rules/tokens.ts'
import { Empty } from '../../show/loaded.tsx'
import { Section } from '../../show/page.tsx'
import { State } from '../../show/state.tsx'
import { LiveTable } from '../../show/table.tsx'
import { Ago } from '../../show/time.tsx'
import { EndToken } from './end-token.tsx'
import { MadeToken, type Made } from './made-token.tsx'
import { NewToken } from './new-token.tsx'

/** The named tokens. A new one is shown once: the hub keeps only its hash. */
export function Tokens (): JSX.Element {
  const [made, setMade] = useState<Made>()
  const live = useRows(
    async (cursor, signal) => toPage(await hub.request('get', '/tokens', { query: { cursor }, signal })),
    []
  )
  return (
    <Section title='Tokens' actions={<NewToken onMade={setMade} />}>
      {made !== undefined && <MadeToken made={made} onStored={() => setMade(undefined)} />}
      <LiveTable<Token>
        live={live}
        caption='Named tokens that are not revoked'
        keyOf={({ id }) => id}
        columns={[
          { head: 'Name', cell: ({ name }) => <strong>{name}</strong> },
          { head: 'Scope', cell: ({ scope }) => scope },
          {
            head: 'Ends',
            cell: token =>
              isOver(token, clock.value)
                ? <State name='over' tone='idle' />
                : <Ago at={token.expiresAt} none='no end' />
          },
          { head: 'Last used', cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} /> },
          {
            head: 'Made',
            cell: ({ createdAt, createdBy }) => (
              <>
                <Ago at={createdAt} /> by {createdBy}
              </>
            )
          },
          {
            head: 'Actions',
            cell: token => (
              <span class='actions'>
                <EndToken token={token} isSession={false} />
                <a class='button small' href={withFilter('/console/audit', { actor: token.name })}>What it did</a>
              </span>
            )
          }
        ]}
        empty={<Empty>There is no named token. Until there are some, everybody uses the hub’s own one.</Empty>}
      />
    </Section>
  )
}
