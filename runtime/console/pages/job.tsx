import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useRoute } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { useConnections } from '../hub/connections.ts'
import { hub } from '../hub/hub.ts'
import { useLive } from '../hub/live.ts'
import { addressOf } from '../rules/addresses.ts'
import { withFilter } from '../rules/filters.ts'
import { reportOf } from '../rules/job-report.ts'
import { deliveryOf, objectOf, workedMs } from '../rules/jobs.ts'
import { duration } from '../rules/times.ts'
import { Copy } from '../show/copy.tsx'
import { Facts } from '../show/facts.tsx'
import { Json } from '../show/json.tsx'
import { Loaded } from '../show/loaded.tsx'
import { Page, Section } from '../show/page.tsx'
import { State } from '../show/state.tsx'
import { Ago, At } from '../show/time.tsx'
import { ToConnection } from '../show/to-connection.tsx'
import { CancelJob, RetryJob } from './job/actions.tsx'
import { Attempts } from './job/attempts.tsx'
import { Related } from './job/related.tsx'
import { Verdict } from './job/verdict.tsx'

type Job = Schemas['Job']

/** Shows a job with its attempts, and says why it waits or died. */
export default function JobPage (): JSX.Element {
  const { params: { id = '' } } = useRoute()
  return <JobOf key={id} id={id} />
}

function JobOf ({ id }: { id: string }): JSX.Element {
  const [isOver, setOver] = useState(false)
  const live = useLive(
    async signal => {
      const job = await hub.get('/jobs/{id}', { path: { id }, signal })
      setOver(job.finishedAt !== null)
      return job
    },
    [id, isOver],
    { everyMs: isOver ? 15_000 : 2_000, keeps: true }
  )
  const { data: job } = live

  return (
    <Page
      title={job?.jobType ?? 'Job'}
      lead={<code>{id}</code>}
      above={[['Jobs', '/console/jobs']]}
      actions={job !== undefined && (
        <>
          <RetryJob job={job} />
          <CancelJob job={job} />
          <Copy text={reportOf(job)} label='Copy report' />
        </>
      )}
    >
      <Loaded live={live}>{found => <Parts job={found} />}</Loaded>
    </Page>
  )
}

function Parts ({ job }: { job: Job }): JSX.Element {
  const { status, payload, result, attempts, requestId } = job
  return (
    <>
      <Section title='State' actions={<State name={status} />}>
        <Verdict job={job} />
      </Section>
      <About job={job} />
      <Section title={attempts.length === 0 ? 'Attempts' : `Attempts: ${attempts.length}`}>
        <Attempts job={job} />
      </Section>
      <Section title='Data'>
        <Json title='Payload' value={payload} isOpen />
        {result !== null && result !== undefined && <Json title='Result' value={result} isOpen />}
      </Section>
      {requestId !== null && <Related requestId={requestId} jobId={job.id} />}
    </>
  )
}

function About ({ job }: { job: Job }): JSX.Element {
  const connections = useConnections()
  const { connectionId, objectKey, requestId, adapter, createdAt, finishedAt, dueAt, idempotencyKey } = job
  const deliveryId = deliveryOf(job)
  return (
    <Section title='About'>
      <Facts
        of={[
          [
            'Connection',
            connectionId === null ? 'the hub itself' : <ToConnection key='of' id={connectionId} of={connections} />
          ],
          [
            'Object',
            <a key='object' href={withFilter('/console/jobs', { objectKey })} title={objectKey}>
              {objectOf(job) || 'the connection'}
            </a>
          ],
          [
            'Request',
            requestId === null ? undefined : <a key='trace' href={addressOf.trace(requestId)}>{requestId}</a>
          ],
          [
            'Started by',
            deliveryId === undefined
              ? undefined
              : <a key='by' href={addressOf.delivery(deliveryId)}>a webhook delivery</a>
          ],
          ['Adapter', adapter],
          ['Made', <At key='made' at={createdAt} />],
          ['May run', dueAt === null ? undefined : <Ago key='due' at={dueAt} />],
          ['Finished', finishedAt === null ? undefined : <At key='finished' at={finishedAt} />],
          ['Time at work', job.attempts.length === 0 ? undefined : duration(workedMs(job))],
          ['Idempotency key', <code key='key'>{idempotencyKey}</code>]
        ]}
      />
    </Section>
  )
}
