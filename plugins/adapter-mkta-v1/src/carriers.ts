import type { HttpClient } from '@linker/sdk'
import { Type } from '@sinclair/typebox'
import { parseAs } from './read-answer.ts'

/** The marketplace's own brand: it refuses new numbers of it. */
const ownBrand = 'MKTA'
const other = 'OTHER'
const longestName = 30

const List = Type.Object({
  carriers: Type.Array(Type.Object({ id: Type.String({ minLength: 1 }), name: Type.String() }))
})

export interface Carrier {
  carrierId: string
  carrierName: string | null
}

/**
 * The marketplace's carrier by the words that a name begins with: `DPD Polska` is `DPD`. One that
 * it has not got is named.
 */
export async function carrierOf (http: HttpClient, name: string): Promise<Carrier> {
  const { carriers } = parseAs(List, await http.json({ method: 'GET', path: 'order/carriers' }), 'its carriers')
  const known =
    new Map(carriers.filter(({ id }) => id !== ownBrand && id !== other).flatMap(
      ({ id, name }) => [[keyOf(wordsOf(name)), id], [keyOf(wordsOf(id)), id]]
    ))
  const words = wordsOf(name)
  const id = words.map((_, index) => known.get(keyOf(words.slice(0, words.length - index)))).find(found =>
    found !== undefined
  )
  return id === undefined
    ? { carrierId: other, carrierName: name.trim().slice(0, longestName) }
    : { carrierId: id, carrierName: null }
}

function wordsOf (name: string): string[] {
  return name.normalize('NFKD').toLowerCase().replaceAll('ł', 'l').replaceAll(/[\u0300-\u036f]/g, '')
    .match(/[a-z0-9]+/g) ?? []
}

function keyOf (words: readonly string[]): string {
  return words.join('')
}
