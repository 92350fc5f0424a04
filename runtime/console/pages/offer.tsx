import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useRoute } from 'preact-iso/router'
import { hub } from '../hub/hub.ts'
import { useLive } from '../hub/live.ts'
import { addressOf } from '../rules/addresses.ts'
import { nameOfVariant } from '../rules/candidates.ts'
import { nextStepOf } from '../rules/next-action.ts'
import { Loaded } from '../show/loaded.tsx'
import { Page } from '../show/page.tsx'
import { SentJobs } from '../show/sent-jobs.tsx'
import { OfferActions } from './offer/actions.tsx'
import { Chain } from './offer/chain.tsx'
import { Evidence } from './offer/evidence.tsx'
import { Fields } from './offer/fields.tsx'
import { VerdictOf } from './offer/verdict.tsx'

export interface Explained {
  explanation: Schemas['OfferExplanation']
  /** Undefined: the offer is at its marketplace only, linked to no variant. */
  offer: Schemas['Offer'] | undefined
}

/** Why an offer shows its quantity. */
export default function OfferPage (): JSX.Element {
  const { params: { id = '' } } = useRoute()
  const live = useLive(signal => readExplained(id, signal), [id])
  const { data } = live
  return (
    <Page
      title={data === undefined ? 'Offer' : titleOf(data)}
      lead={data === undefined ? 'Why does it show this quantity?' : <Lead {...data} />}
      above={[['Offers', '/console/offers']]}
      actions={data?.offer !== undefined && (
        <OfferActions offer={data.offer} proposed={nextStepOf(data.explanation.nextAction)} />
      )}
    >
      <Loaded live={live}>
        {({ explanation, offer }) => (
          <>
            <VerdictOf explanation={explanation} offer={offer} />
            <Chain explanation={explanation} />
            <Evidence evidence={explanation.evidence} />
            {offer !== undefined && <Fields offer={offer} />}
            {offer !== undefined && (
              <SentJobs
                of={{ offerId: offer.id }}
                caption='Jobs about this offer, the newest first'
                empty={
                  <>
                    No job is kept about this offer. Jobs that ended well are removed after the time that{' '}
                    <a href='/console/system'>System</a> shows.
                  </>
                }
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

async function readExplained (id: string, signal: AbortSignal): Promise<Explained> {
  const explanation = await hub.get('/offers/{id}/explanation', { path: { id }, signal })
  const offer = explanation.variant === null
    ? undefined
    : await hub.get('/offers/{id}', { path: { id }, signal })
  return { explanation, offer }
}

function titleOf ({ explanation: { variant, externalId }, offer }: Explained): string {
  return variant?.name ?? offer?.title ?? `Offer ${externalId}`
}

function Lead ({ explanation: { variant, externalId, connection } }: Explained): JSX.Element {
  return (
    <>
      Offer <code>{externalId}</code> at <a href={addressOf.connection(connection.id)}>{connection.name}</a>
      {variant !== null && (
        <>
          , variant <a href={addressOf.variant(variant.id)}>{nameOfVariant(variant)}</a>
        </>
      )}
    </>
  )
}
