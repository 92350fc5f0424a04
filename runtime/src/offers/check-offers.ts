import { FieldError, type NewOffer, type OfferPatch } from '@linker/sdk'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { toRouteFailure } from '../adapters/adapter-failure.ts'
import type { Adapters } from '../adapters/adapters.ts'
import { nameOf } from '../adapters/load.ts'
import { parseAnswer } from '../adapters/parse-answer.ts'
import type { OpenConnection } from '../connections/open-connection.ts'
import { offerCapabilityFor } from './offer-capability.ts'

const timeoutMs = 10_000
const Problems = Type.Array(FieldError)

export interface OfferChecks {
  /**
   * Returns the problems that the platform would report for each offer, in the order of the offers.
   * The lists are empty when the adapter cannot check offers.
   */
  ofNew(opened: OpenConnection, offers: readonly NewOffer[], requestId: string): Promise<FieldError[][]>
  ofPatch(opened: OpenConnection, patch: OfferPatch, requestId: string): Promise<FieldError[]>
}

/** Asks adapters what a platform would refuse, before a job is queued. */
export function createOfferChecks (adapters: Pick<Adapters, 'call'>): OfferChecks {
  async function ask<Schema extends TSchema> (
    opened: OpenConnection,
    method: string,
    argument: unknown,
    schema: Schema,
    requestId: string
  ): Promise<Static<Schema> | undefined> {
    const capability = offerCapabilityFor(opened, method)
    if (capability === undefined) return undefined
    const { adapter, snapshot } = opened
    try {
      const target = { kind: 'capability' as const, capability, method }
      const answer = await adapters.call(adapter, snapshot, target, [argument], {
        signal: AbortSignal.timeout(timeoutMs),
        requestId,
        keep: () => undefined
      })
      return parseAnswer(schema, `${capability}.${method}`, answer)
    } catch (error) {
      throw toRouteFailure(error, nameOf(adapter)).error
    }
  }

  return {
    async ofNew (opened, offers, requestId) {
      const found = await ask(
        opened,
        'checkNewOffers',
        offers,
        Type.Array(Problems, { minItems: offers.length, maxItems: offers.length }),
        requestId
      )
      return found ?? offers.map(() => [])
    },
    async ofPatch (opened, patch, requestId) {
      return await ask(opened, 'checkPatch', patch, Problems, requestId) ?? []
    }
  }
}
