import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { hub } from '../../hub/hub.ts'
import { useLive } from '../../hub/live.ts'
import { addressOf } from '../../rules/addresses.ts'
import { reasonOf } from '../../rules/jobs.ts'
import { Loaded } from '../../show/loaded.tsx'
import { LongName } from '../../show/long-name.tsx'
import { Section } from '../../show/page.tsx'
import { State } from '../../show/state.tsx'
import { Table } from '../../show/table.tsx'
import { At } from '../../show/time.tsx'

type Job = Schemas['Job']

/** Lists the jobs of the same request, the oldest first: causes and effects of a job. */
export function Related ({ requestId, jobId }: { requestId: string, jobId: string }): JSX.Element {
  const live = useLive(async signal => (await hub.get('/jobs', { query: { requestId }, signal })).toReversed(), [
    requestId
  ])
  return (
    <Section
      title='Before and after'
      actions={<a class='button' href={addressOf.trace(requestId)}>Trace, step by step</a>}
    >
      <Loaded live={live}>
        {jobs => (
          <Table<Job>
            caption='Jobs of the same request, oldest first'
            rows={jobs}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => addressOf.job(id)}
            columns={[
              { head: 'Type', cell: ({ jobType }) => <LongName name={jobType} /> },
              { head: 'Status', cell: ({ status }) => <State name={status} /> },
              { head: 'Made', cell: ({ createdAt }) => <At at={createdAt} /> },
              { head: 'Reason', cell: job => job.id === jobId ? <em>this job</em> : reasonOf(job) }
            ]}
            empty={null}
          />
        )}
      </Loaded>
    </Section>
  )
}
