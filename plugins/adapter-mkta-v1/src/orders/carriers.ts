import type { HttpClient } from '@linker/sdk'
import { Type } from '@sinclair/typebox'

/** The marketplace's own brand. The marketplace refuses new tracking numbers of this brand. */
const ownBrand = 'MKTA'
const other = 'OTHER'
const longestName = 30

const List = Type.Object({
  carriers: Type.Array(Type.Object({ id: Type.String({ minLength: 1 }), name: Type.String() }))
})

export interface Carrier {
  carrierId: string
  /** Only beside `OTHER`: the marketplace's schema has no null. */
  carrierName?: string
}

/**
 * Finds the marketplace's carrier whose name is the longest beginning of the given name: `DPD
 * Polska` is `DPD`. A carrier that the marketplace does not know is sent as `OTHER` with its name.
 */
export async function carrierOf (http: HttpClient, name: string): Promise<Carrier> {
  const { carriers } = await http.get('order/carriers', { as: List })
  const usable = carriers.filter(({ id }) => id !== ownBrand && id !== other)
  const known = new Map(usable.flatMap(({ id, name }) => [[keyOf(wordsOf(name)), id], [keyOf(wordsOf(id)), id]]))
  const words = wordsOf(name)
  const beginnings = words.map((_, index) => keyOf(words.slice(0, words.length - index)))
  const id = beginnings.map(beginning => known.get(beginning)).find(found => found !== undefined)
  return id === undefined
    ? { carrierId: other, carrierName: name.trim().slice(0, longestName) }
    : { carrierId: id }
}

function wordsOf (name: string): string[] {
  const plain = name.normalize('NFKD').toLowerCase().replaceAll('ł', 'l').replaceAll(/[\u0300-\u036f]/g, '')
  return plain.match(/[a-z0-9]+/g) ?? []
}

function keyOf (words: readonly string[]): string {
  return words.join('')
}
