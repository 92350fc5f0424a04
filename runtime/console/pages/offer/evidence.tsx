import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useConnections } from '../../hub/connections.ts'
import { addressOf } from '../../rules/addresses.ts'
import { Facts } from '../../show/facts.tsx'
import { Section } from '../../show/page.tsx'
import { RemedyOf } from '../../show/problem.tsx'
import { State } from '../../show/state.tsx'
import { Ago } from '../../show/time.tsx'
import { ToConnection } from '../../show/to-connection.tsx'

type EvidenceOf = Schemas['OfferExplanation']['evidence']

/** Shows the facts behind the verdict. */
export function Evidence ({ evidence }: { evidence: EvidenceOf }): JSX.Element | null {
  const connections = useConnections()
  const { at, until, jobId, code, orders = [], connectionId, sweepId, lastSweepAt, lastEventAt } = evidence
  if (Object.values(evidence).every(value => value === null)) return null
  return (
    <Section title='Evidence'>
      <Facts
        of={[
          ['Since', at !== null && <Ago key='since' at={at} />],
          ['Ends by itself', until !== undefined && <Ago key='until' at={until} />],
          ['Job', jobId !== undefined && <a key='job' href={addressOf.job(jobId)}>job {jobId.slice(0, 8)}</a>],
          [
            'Connection',
            connectionId !== undefined && <ToConnection key='connection' id={connectionId} of={connections} />
          ],
          ['Sweep', sweepId !== undefined && <a key='sweep' href='/console/stock/sweeps'>{sweepId.slice(0, 8)}</a>],
          ['Last complete sweep', lastSweepAt !== undefined && <Ago key='last-sweep' at={lastSweepAt} />],
          ['Last webhook of the shop', lastEventAt !== undefined && <Ago key='last-event' at={lastEventAt} />]
        ]}
      />
      {code !== undefined && <RemedyOf code={code} />}
      {orders.length > 0 && (
        <ul class='also'>
          {orders.map(order => (
            <li key={order.id}>
              <a href={addressOf.order(order.id)}>{order.externalId}</a> <State name={order.status} />
              <span>
                reserves {order.quantity}, first read <Ago at={order.readAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
