import { createHash } from 'node:crypto'

const letters = 9
const alphabet = 26n

/**
 * The reference of an order in the shop, made of the hub's own: nine capital letters, as the shop
 * makes them. A hub that lost its memory of an order finds it by this reference.
 */
export function orderReferenceOf (reference: string): string {
  let rest = BigInt(`0x${createHash('sha256').update(reference).digest('hex')}`)
  let made = ''
  for (; made.length < letters; rest /= alphabet) made += String.fromCharCode(65 + Number(rest % alphabet))
  return made
}
