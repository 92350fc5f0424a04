import { AdapterErrorCode, isAdapterError, Offer } from '@linker/sdk'
import type { Adapters } from '../adapters/adapters.ts'
import { parseAnswer } from '../adapters/parse-answer.ts'
import type { Connections } from '../connections/connections.ts'
import { refusePaused } from '../connections/pauses/refuse-paused.ts'
import { isInfrastructureError } from '../database/infrastructure-error.ts'
import { AdapterRejectedError, OfferNotShownError } from '../errors.ts'
import { offerCapabilityFor } from './offer-capability.ts'
import { visibleAfterMsOf } from './written-offer.ts'

/**
 * The result of a look at an offer. `shown`: the marketplace has it. `unknownBecause`: the
 * marketplace, its adapter or the connection did not let the hub look. Neither: the adapter cannot
 * read a single offer.
 */
export interface LookedUp {
  shown?: Offer
  unknownBecause?: string
}

export interface LookUpOptions {
  adapters: Pick<Adapters, 'call'>
  connections: Pick<Connections, 'openEnabled'>
  log: { warn(fields: object, message: string): void }
}

export interface OfferToLookUp {
  connectionId: string
  externalId: string
  requestId: string
}

// An HTTP request waits for the look. A job looks again when the marketplace is slower.
const timeoutMs = 5_000

/**
 * Looks at an offer at the marketplace. Throws when the marketplace does not have the offer, or
 * when it belongs to another seller.
 */
export async function lookUpOffer (options: LookUpOptions, offer: OfferToLookUp): Promise<LookedUp> {
  try {
    return await ask(options, offer)
  } catch (error) {
    const isRefusal = error instanceof OfferNotShownError || error instanceof AdapterRejectedError
    if (isRefusal || (!isAdapterError(error) && isInfrastructureError(error))) throw error
    options.log.warn({ err: error, ...offer }, 'the hub links an offer without having checked it at the marketplace')
    return { unknownBecause: reasonOf(error) }
  }
}

async function ask ({ adapters, connections }: LookUpOptions, offer: OfferToLookUp): Promise<LookedUp> {
  const { connectionId, externalId, requestId } = offer
  const opened = await connections.openEnabled(connectionId)
  const capability = offerCapabilityFor(opened, 'getOffer')
  if (capability === undefined) return {}
  refusePaused(opened.connection, [capability])
  const target = { kind: 'capability' as const, capability, method: 'getOffer' }
  const call = { signal: AbortSignal.timeout(timeoutMs), requestId, keep: () => undefined }
  const answer = await adapters.call(opened.adapter, opened.snapshot, target, [externalId], call)
    .catch((error: unknown) => {
      throw toRefusal(error, externalId, visibleAfterMsOf(opened))
    })
  return { shown: parseAnswer(Offer, `${capability}.getOffer`, answer) }
}

/** Makes the marketplace's verdict on the offer an error of the caller; passes on other errors. */
function toRefusal (error: unknown, externalId: string, visibleAfterMs: number): unknown {
  if (!isAdapterError(error)) return error
  const isMissing = error.code === AdapterErrorCode.notFound
  if (!isMissing && error.code !== AdapterErrorCode.rejected) return error
  const lagMinutes = Math.ceil(visibleAfterMs / 60_000)
  const refusal = isMissing ? new OfferNotShownError(externalId, lagMinutes) : new AdapterRejectedError(error.message)
  const errors = [{ pointer: '/externalId', code: 'unknown', message: refusal.message }]
  return Object.assign(refusal, { cause: error, errors })
}

/** Returns the message of a platform's or the hub's own error. Other messages may say anything. */
function reasonOf (error: unknown): string {
  const isKnown = error instanceof Error && 'code' in error && String(error.code).startsWith('LNK_')
  return isKnown ? error.message : 'the adapter failed. The log of the hub shows the reason'
}
