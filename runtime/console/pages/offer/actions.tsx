import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { LimitOffer } from '../../form/limit-offer.tsx'
import { hub } from '../../hub/hub.ts'
import { addressOf } from '../../rules/addresses.ts'
import type { NextStep } from '../../rules/next-action.ts'
import { Action, QuickAction } from '../../show/action.tsx'
import { ChangeOffer } from './change-offer.tsx'

/** The things that a person can do with a linked offer. */
export function OfferActions ({ offer, proposed }: {
  offer: Schemas['Offer'],
  /** The verdict shows this one already, as its button. */
  proposed: NextStep
}): JSX.Element {
  const { id, connectionId, externalId, status } = offer
  return (
    <>
      {!(proposed.kind === 'call' && proposed.call.path.endsWith('/refresh')) && (
        <QuickAction
          label='Read again'
          scope='operate'
          run={async () => {
            const { jobId } = await hub.post('/offers/{id}/refresh', { path: { id } })
            return { text: 'The hub reads the offer at the marketplace.', href: addressOf.job(jobId) }
          }}
        />
      )}
      {status !== 'ENDED' && proposed.kind !== 'limit' && <LimitOffer key={offer.updatedAt} {...offer} />}
      {status !== 'ENDED' && <ChangeOffer key={`change ${offer.updatedAt}`} offer={offer} />}
      <Action
        label='Unlink'
        scope='operate'
        title='Unlink the offer'
        run={async () => {
          await hub.delete('/offers/{id}', { path: { id } })
          // The offer has another id now.
          return { text: `Offer ${externalId} is unlinked.`, opens: '/console/offers?view=unlinked' }
        }}
        cli={`linker offers unlink ${id}`}
        call={{ method: 'DELETE', path: `/offers/${id}` }}
      >
        <p>
          The offer stays at the marketplace with its last quantity and follows no stock any more. The hub links it
          again only when a person asks for it.
        </p>
      </Action>
      {status !== 'ENDED' && (
        <Action
          label='End'
          scope='operate'
          title='End the offer'
          isGrave
          run={async idempotencyKey => {
            const { jobId } = await hub.post('/listings/connections/{connectionId}/offers/{offerId}/end', {
              path: { connectionId, offerId: id },
              idempotencyKey
            })
            return { text: 'The hub takes the offer off the marketplace.', href: addressOf.job(jobId) }
          }}
          cli={`linker offers end ${id}`}
          call={{ method: 'POST', path: `/listings/connections/${connectionId}/offers/${id}/end` }}
        >
          <p>Nobody can buy it at the marketplace then. The variant stays in the shop.</p>
        </Action>
      )}
    </>
  )
}
