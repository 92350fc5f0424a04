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

/** The jobs that tell a platform about the order, the newest first. */
export function OrderJobs ({ orderId }: { orderId: string }): JSX.Element {
  const live = useRows(
    async (cursor, signal) =>
      toPage(await hub.request('get', '/jobs', { query: { orderId, limit: 20, cursor }, signal })),
    [orderId]
  )
  return (
    <Section title='What was sent'>
      <LiveTable
        live={live}
        caption='Jobs about this order, the newest first'
        keyOf={({ id }) => id}
        hrefOf={({ id }) => addressOf.job(id)}
        columns={[
          { head: 'Job', cell: ({ jobType }) => jobType },
          { head: 'State', cell: ({ status }) => <State name={status} /> },
          { head: 'What', cell: summaryOfJob },
          { head: 'Made', cell: ({ createdAt }) => <Ago at={createdAt} /> }
        ]}
        empty={<Empty>The hub has told no shop, marketplace or carrier about this order yet.</Empty>}
      />
    </Section>
  )
}
