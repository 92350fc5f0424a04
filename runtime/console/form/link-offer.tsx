import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { hub } from '../hub/hub.ts'
import { addressOf } from '../rules/addresses.ts'
import { nameOfVariant, toCandidates, type Candidate } from '../rules/candidates.ts'
import { shellWord } from '../rules/shell.ts'
import { Action } from '../show/action.tsx'
import { ChooseVariant } from './choose-variant.tsx'

/** Links an offer of a marketplace to the variant that a person chooses. */
export function LinkOffer ({ connectionId, externalId, hint = '', isPrimary = false, follows, linked }: {
  connectionId: string,
  externalId: string,
  /** A text to search variants for, such as the name that the marketplace shows. */
  hint?: string,
  isPrimary?: boolean,
  /** Says which work goes on by itself once the offer is linked. */
  follows?: string,
  /** Called with the id of the linked offer, which is not the one that it had without a link. */
  linked?: (offerId: string) => void
}): JSX.Element {
  const [chosen, setChosen] = useState<Candidate>()
  const body = { connectionId, variantId: chosen?.variantId ?? 'VARIANT', externalId }

  async function plan (): Promise<Candidate[]> {
    const candidates = await readCandidates(connectionId, externalId)
    setChosen(candidates.find(({ isCertain }) => isCertain))
    return candidates
  }

  return (
    <Action
      label='Link'
      scope='operate'
      title='Link the offer to a variant'
      isPrimary={isPrimary}
      plan={plan}
      blocked={() => chosen === undefined ? 'Choose a variant first.' : undefined}
      run={async idempotencyKey => {
        const offer = await hub.post('/offers/link', { body, idempotencyKey })
        linked?.(offer.id)
        const name = chosen === undefined ? '' : nameOfVariant(chosen)
        return {
          text: `The offer follows the stock of ${name} now.${follows === undefined ? '' : ` ${follows}`}`,
          href: addressOf.offer(offer.id)
        }
      }}
      cli={`linker offers link --marketplace ${connectionId} --shop SHOP --product PRODUCT --offer ` +
        shellWord(externalId)}
      call={{ method: 'POST', path: '/offers/link', body }}
    >
      {candidates => (
        <>
          <p>
            Offer <code>{externalId}</code>{' '}
            will show the stock of the variant, from now on. The hub asks the marketplace for the offer first.
          </p>
          <ChooseVariant suggested={candidates} hint={hint} chosen={chosen} choose={setChosen} />
        </>
      )}
    </Action>
  )
}

/** A marketplace whose offers the hub cannot list has no suggestions; a person may still search. */
async function readCandidates (id: string, externalId: string): Promise<Candidate[]> {
  try {
    const found = await hub.get('/connections/{id}/marketplace-offers', {
      path: { id },
      query: { q: externalId, state: 'unlinked' }
    })
    return toCandidates(found.find(offer => offer.externalId === externalId)?.link.suggestions ?? [])
  } catch {
    return []
  }
}
