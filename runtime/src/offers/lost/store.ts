import type { Query } from '../../database/database.ts'
import { findCandidates } from '../marketplace/store.ts'
import { suggestVariants, type Suggestion } from '../marketplace/suggest.ts'
import { countLost, selectLost } from './statements.ts'

/** Offers of a connection whose variant the shop does not have any more. */
export interface LostOffers {
  connectionId: string
  count: number
  /** When the shop was first seen without one of them, ISO 8601. */
  since: string
  /** The first of them. */
  samples: LostOffer[]
}

export interface LostOffer {
  externalId: string
  title: string | null
  /** The variants that may stand for the lost one now, the best first. */
  candidates: Suggestion[]
}

interface SampleRow {
  externalId: string
  title: string | null
  reference: null
  sku: string | null
  ean: string | null
}

export const mostLost = 10_000
const mostSamples = 3

/** Finds the offers that lost their variant, up to a limit for all connections. */
export async function findLostOffers (query: Query): Promise<LostOffers[]> {
  const rows = await query<Omit<LostOffers, 'samples'> & { sampleIds: string[] }>(countLost, [mostLost, mostSamples])
  const found: LostOffers[] = []
  for (const { sampleIds, ...lost } of rows) {
    const samples = await query<SampleRow>(selectLost, [sampleIds])
    const candidates = await findCandidates(query, lost.connectionId, samples)
    found.push({
      ...lost,
      samples: samples.map(({ title, ...sample }) => {
        const present = (candidates.get(sample.externalId) ?? []).filter(({ isMissing }) => !isMissing)
        return {
          externalId: sample.externalId,
          title,
          candidates: suggestVariants({ ...sample, isReleased: false }, present)
        }
      })
    })
  }
  return found
}
