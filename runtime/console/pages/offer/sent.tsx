import type { JSX } from 'preact'
import { hub, toPage } from '../../hub/hub.ts'
import { useRows } from '../../hub/live.ts'
import { addressOf } from '../../rules/addresses.ts'
import { summaryOfJob } from '../../rules/sent-jobs.ts'
import { Empty } from '../../show/loaded.tsx'
import { Section } from '../../show/page.tsx'
import { State } from '../../show/state.tsx'
import { LiveTable } from '../../show/table.tsx'
import { Ago } from '../../show/time.tsx'

/** The jobs about the offer, the newest first. */
export function Sent ({ offerId }: { offerId: string }): JSX.Element {
  const live = useRows(
    async (cursor, signal) =>
      toPage(await hub.request('get', '/jobs', { query: { offerId, limit: 20, cursor }, signal })),
    [offerId]
  )
  return (
    <Section title='What was sent'>
      <LiveTable
        live={live}
        caption='Jobs about this offer, the newest first'
        keyOf={({ id }) => id}
        hrefOf={({ id }) => addressOf.job(id)}
        columns={[
          { head: 'Job', cell: ({ jobType }) => jobType },
          { head: 'State', cell: ({ status }) => <State name={status} /> },
          { head: 'What', cell: summaryOfJob },
          { head: 'Made', cell: ({ createdAt }) => <Ago at={createdAt} /> },
          { head: 'Ended', cell: ({ finishedAt }) => <Ago at={finishedAt} none='not yet' /> }
        ]}
        empty={
          <Empty>
            No job is kept about this offer. Jobs that ended well are removed after the time that{' '}
            <a href='/console/system'>System</a> shows.
          </Empty>
        }
      />
    </Section>
  )
}
