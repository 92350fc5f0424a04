import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useRoute } from 'preact-iso/router'
import { useConnections } from '../hub/connections.ts'
import { hub } from '../hub/hub.ts'
import { useLive } from '../hub/live.ts'
import { addressOf } from '../rules/addresses.ts'
import { nameOfEvent, reasonOfDelivery } from '../rules/deliveries.ts'
import { Facts } from '../show/facts.tsx'
import { Loaded } from '../show/loaded.tsx'
import { Page, Section } from '../show/page.tsx'
import { RemedyOf } from '../show/problem.tsx'
import { State } from '../show/state.tsx'
import { Table } from '../show/table.tsx'
import { At } from '../show/time.tsx'
import { ToConnection } from '../show/to-connection.tsx'
import { ReplayDelivery } from './delivery/replay.tsx'

type Detail = Schemas['WebhookDeliveryDetail']

/** A delivery: its event, the job that it became, and its replays. */
export default function DeliveryPage (): JSX.Element {
  const { params: { id = '' } } = useRoute()
  const live = useLive(signal => hub.get('/webhook-deliveries/{id}', { path: { id }, signal }), [id])
  const { data } = live
  return (
    <Page
      title={data === undefined ? 'Delivery' : nameOfEvent(data)}
      lead={
        <>
          Its sender knows it as delivery <code>{id}</code>.
        </>
      }
      above={[['Deliveries', '/console/deliveries']]}
      actions={data !== undefined && (
        <>
          <ReplayDelivery delivery={data} />
          {data.requestId !== null && <a class='button' href={addressOf.trace(data.requestId)}>Trace, step by step</a>}
        </>
      )}
    >
      <Loaded live={live}>{delivery => <Parts delivery={delivery} />}</Loaded>
    </Page>
  )
}

function Parts ({ delivery }: { delivery: Detail }): JSX.Element {
  const { status, ignored, jobId, jobType, waitsFor, problem } = delivery
  return (
    <>
      <Section title='What became of it' actions={<State name={status} />}>
        {ignored !== null && <p>The event started no job: {ignored}.</p>}
        {jobId !== null && (
          <p>
            It became the job <a href={addressOf.job(jobId)}>{jobType ?? jobId}</a>.
          </p>
        )}
        {(waitsFor !== null || problem !== null) && <p>{reasonOfDelivery(delivery)}</p>}
        {problem !== null && <RemedyOf code={problem.code} />}
      </Section>
      <About delivery={delivery} />
      <Replays delivery={delivery} />
    </>
  )
}

function About ({ delivery }: { delivery: Detail }): JSX.Element {
  const connections = useConnections()
  const { connectionId, provider, eventType, eventId, objectType, externalId, requestId } = delivery
  const { occurredAt, acceptedAt, createdAt, replayableUntil } = delivery
  return (
    <Section title='About'>
      <Facts
        of={[
          ['Connection', <ToConnection key='of' id={connectionId} of={connections} />],
          ['Platform', provider],
          ['Event', eventType],
          ['Event id', <code key='event'>{eventId}</code>],
          ['Object', [objectType, externalId].filter(part => part !== null).join(' ')],
          ['Happened', occurredAt === null ? undefined : <At key='happened' at={occurredAt} />],
          ['Accepted', acceptedAt === null ? undefined : <At key='accepted' at={acceptedAt} />],
          ['Recorded', <At key='recorded' at={createdAt} />],
          [
            'Request',
            requestId === null ? undefined : <a key='trace' href={addressOf.trace(requestId)}>{requestId}</a>
          ],
          ['Can be replayed until', <At key='until' at={replayableUntil} />]
        ]}
      />
    </Section>
  )
}

function Replays ({ delivery: { replays } }: { delivery: Detail }): JSX.Element {
  return (
    <Section title='Replays'>
      <Table
        caption='The jobs of its replays, oldest first'
        rows={replays}
        keyOf={({ jobId }) => jobId}
        hrefOf={({ jobId }) => addressOf.job(jobId)}
        columns={[
          { head: 'Job', cell: ({ jobId }) => jobId.slice(0, 8) },
          { head: 'Status', cell: ({ status }) => <State name={status} /> },
          { head: 'Replayed', cell: ({ createdAt }) => <At at={createdAt} /> },
          { head: 'Reason', cell: reasonOfDelivery }
        ]}
        empty={<p class='muted'>Nobody has replayed it.</p>}
      />
    </Section>
  )
}
