import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { hub } from '../../hub/hub.ts'
import { nameOfVariant } from '../../rules/candidates.ts'
import { countOf } from '../../rules/counts.ts'
import { Action } from '../../show/action.tsx'
import { Facts } from '../../show/facts.tsx'

type Summary = Schemas['MarketplaceLinkSummary']

/** Links all offers of a marketplace whose variant is certain, after a dry run. */
export function LinkCertain ({ connectionId, name }: { connectionId: string, name: string }): JSX.Element {
  const path = { id: connectionId }
  return (
    <p class='actions aside'>
      <Action<Summary>
        label='Link all certain offers'
        scope='operate'
        title={`Link the certain offers of ${name}`}
        confirm='Link them'
        plan={async () => hub.post('/connections/{id}/marketplace-offers/link', { path, body: { dryRun: true } })}
        blocked={plan => plan?.eligible === 0 ? 'No offer has a certain variant.' : undefined}
        run={async idempotencyKey => {
          const done = await hub.post('/connections/{id}/marketplace-offers/link', {
            path,
            body: { dryRun: false },
            idempotencyKey
          })
          const rest = done.atMost ? ' There are more: link again.' : ''
          return { text: `${countOf(done.linked, 'offer')} linked.${rest}`, href: '/console/offers' }
        }}
        cli={`linker offers link-certain ${connectionId}`}
        call={{ method: 'POST', path: `/connections/${connectionId}/marketplace-offers/link`, body: { dryRun: false } }}
      >
        {({ matched, eligible, skipped, sample }) => (
          <>
            <p>{countOf(matched, 'unlinked offer')}, {eligible} of them with a certain variant.</p>
            <Facts of={skipped.map(({ reason, count }) => [reason, countOf(count, 'offer')])} />
            <ul>
              {sample.map(offer => (
                <li key={offer.externalId}>
                  <code>{offer.externalId}</code> to {nameOfVariant(offer)}
                </li>
              ))}
            </ul>
          </>
        )}
      </Action>
    </p>
  )
}
