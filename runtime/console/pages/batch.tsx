import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useRoute } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { useConnections } from '../hub/connections.ts'
import { hub } from '../hub/hub.ts'
import { useLive } from '../hub/live.ts'
import { addressOf } from '../rules/addresses.ts'
import { Facts } from '../show/facts.tsx'
import { Loaded } from '../show/loaded.tsx'
import { Page, Section } from '../show/page.tsx'
import { State } from '../show/state.tsx'
import { Table } from '../show/table.tsx'
import { Ago } from '../show/time.tsx'
import { ToConnection } from '../show/to-connection.tsx'
import { RetryBatch } from './batch/retry-batch.tsx'

type Batch = Schemas['OfferBatch']

/** How far the listing of several variants is. */
export default function BatchPage (): JSX.Element {
  const { params: { id = '' } } = useRoute()
  const [isOver, setOver] = useState(false)
  const live = useLive(
    async signal => {
      const found = await hub.get('/listings/batches/{batchId}', { path: { batchId: id }, signal })
      setOver(found.status !== 'running')
      return found
    },
    [id, isOver],
    { everyMs: isOver ? 10_000 : 2_000, keeps: true }
  )
  return (
    <Page
      title='New offers'
      lead='Variants that were listed together, and what became of each.'
      above={[['Offers', '/console/offers'], ['List more', '/console/offers?view=new']]}
      actions={live.data !== undefined && live.data.failed > 0 && <RetryBatch batch={live.data} />}
    >
      <Loaded live={live}>{batch => <Parts batch={batch} />}</Loaded>
    </Page>
  )
}

function Parts ({ batch }: { batch: Batch }): JSX.Element {
  const connections = useConnections()
  const { connectionId, total, succeeded, failed, createdAt, items } = batch
  return (
    <>
      <Section title='Progress' actions={<State name={batch.status} />}>
        <Facts
          of={[
            ['Marketplace', <ToConnection key='at' id={connectionId} of={connections} />],
            ['Listed', `${succeeded} of ${total}`],
            ['Failed', failed > 0 && String(failed)],
            ['Started', <Ago key='started' at={createdAt} />]
          ]}
        />
      </Section>
      <Section title='Offers'>
        <Table
          caption='The offers of this batch'
          rows={items}
          keyOf={({ offerId }) => offerId}
          hrefOf={({ offerId }) => addressOf.offer(offerId)}
          columns={[
            { head: 'Offer', cell: ({ offerId }) => `offer ${offerId.slice(0, 8)}` },
            {
              head: 'Variant',
              cell: ({ variantId }) => <a href={addressOf.variant(variantId)}>variant {variantId.slice(0, 8)}</a>
            },
            {
              head: 'Job',
              cell: ({ jobId, status }) => (
                <a href={addressOf.job(jobId)}>
                  <State name={status} />
                </a>
              )
            },
            { head: 'Problem', cell: ({ problem }) => problem?.message }
          ]}
          empty={<p class='muted'>All variants of the request were on sale already.</p>}
        />
      </Section>
    </>
  )
}
