import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { hub } from '../../hub/hub.ts'
import { useLive } from '../../hub/live.ts'
import { addressOf } from '../../rules/addresses.ts'
import { kindWord } from '../../rules/routing.ts'
import { Loaded } from '../../show/loaded.tsx'
import { Section } from '../../show/page.tsx'
import { State } from '../../show/state.tsx'
import { Table } from '../../show/table.tsx'
import type { Read } from './read.ts'
import { Resolve } from './resolve.tsx'
import { RulesForm } from './rules-form.tsx'

/** Who dispatches the orders of this marketplace. */
export function Routing ({ connection: { id } }: Read): JSX.Element {
  const rules = useLive(async signal => {
    const { data, headers } = await hub.request('get', '/connections/{id}/routing-rules', { path: { id }, signal })
    return { items: data.items, etag: headers.get('etag') ?? '*' }
  }, [id])
  const candidates = useLive(
    signal => hub.get('/connections/{id}/routing-rules/candidates', { path: { id }, signal }),
    [id]
  )
  // The marketplace itself answers this, so ask only once.
  const methods = useLive(signal => hub.get('/connections/{id}/delivery-methods', { path: { id }, signal }), [id], {
    everyMs: 0
  })
  const known = methods.data
  return (
    <>
      <Section title='Rules'>
        <Loaded live={rules}>
          {({ items, etag }) => (
            <Loaded live={candidates}>
              {found => <RulesForm id={id} items={items} etag={etag} candidates={found} methods={known} />}
            </Loaded>
          )}
        </Loaded>
      </Section>
      <Section title='Who would dispatch?'>
        <Resolve id={id} methods={known ?? []} />
      </Section>
      <Section title='Who may dispatch'>
        <Loaded live={candidates}>{found => <Candidates candidates={found} />}</Loaded>
      </Section>
      <Section title='Delivery methods'>
        <Loaded live={methods}>
          {found => (
            <Table
              caption='The methods that buyers choose from, as the marketplace lists them'
              rows={found}
              keyOf={({ id: method }) => method}
              columns={[
                { head: 'Method', cell: ({ name }) => name },
                { head: 'Id', cell: ({ id: method }) => <code>{method}</code> },
                { head: 'Cash on delivery', cell: ({ cashOnDelivery }) => cashOnDelivery === true ? 'yes' : 'no' }
              ]}
              empty={<p class='muted'>The marketplace lists no delivery method for this account.</p>}
            />
          )}
        </Loaded>
      </Section>
    </>
  )
}

function Candidates ({ candidates }: { candidates: readonly Schemas['RoutingCandidate'][] }): JSX.Element {
  return (
    <Table
      caption='A rule names one of these'
      rows={candidates}
      keyOf={({ processorKind, processorConnectionId }) => `${processorKind} ${processorConnectionId ?? ''}`}
      columns={[
        {
          head: 'Who',
          cell: ({ displayName, processorConnectionId }) =>
            processorConnectionId === undefined
              ? displayName
              : <a href={addressOf.connection(processorConnectionId)}>{displayName}</a>
        },
        { head: 'Kind', cell: ({ processorKind }) => kindWord(processorKind) },
        {
          head: 'Can now',
          cell: ({ reason }) => (
            <State name={reason === undefined ? 'yes' : 'no'} tone={reason === undefined ? 'good' : 'warn'} />
          )
        },
        { head: 'Reason', cell: ({ reason }) => reason ?? '' }
      ]}
      empty={<p class='muted'>Nobody but the shop dispatches: no connection is a carrier.</p>}
    />
  )
}
