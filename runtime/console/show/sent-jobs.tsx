import type { ComponentChildren, JSX } from 'preact'
import { hub, toPage } from '../hub/hub.ts'
import { useRows } from '../hub/live.ts'
import { addressOf } from '../rules/addresses.ts'
import { summaryOfJob } from '../rules/sent-jobs.ts'
import { Empty } from './loaded.tsx'
import { Section } from './page.tsx'
import { State } from './state.tsx'
import { LiveTable } from './table.tsx'
import { Ago } from './time.tsx'

interface SentJobsProps {
  /** The object that the jobs are about. */
  of: { offerId: string } | { orderId: string }
  caption: string
  /** Says why there may be none. */
  empty: ComponentChildren
}

/** Lists the jobs that told a platform about one object, the newest first. */
export function SentJobs ({ of, caption, empty }: SentJobsProps): JSX.Element {
  const live = useRows(
    async (cursor, signal) =>
      toPage(await hub.request('get', '/jobs', { query: { ...of, limit: 20, cursor }, signal })),
    Object.values(of)
  )
  return (
    <Section title='What was sent'>
      <LiveTable
        live={live}
        caption={caption}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => addressOf.job(id)}
        columns={[
          { head: 'Job', cell: ({ jobType }) => jobType },
          { head: 'State', cell: ({ status }) => <State name={status} /> },
          { head: 'What', cell: summaryOfJob },
          { head: 'Made', cell: ({ createdAt }) => <Ago at={createdAt} /> },
          { head: 'Ended', cell: ({ finishedAt }) => <Ago at={finishedAt} none='not yet' /> }
        ]}
        empty={<Empty>{empty}</Empty>}
      />
    </Section>
  )
}
