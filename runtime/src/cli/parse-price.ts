import { InvalidArgumentError } from 'commander'

/** Reads a price on a command line, such as `12.90 EUR`. */
export function parsePrice (text: string): { amount: string, currency: string } {
  const [, amount, currency] = /^(\d{1,10}(?:\.\d{1,2})?) ?([A-Z]{3})$/.exec(text) ?? []
  if (amount === undefined || currency === undefined) {
    throw new InvalidArgumentError('must be an amount and a currency, such as "12.90 EUR"')
  }
  return { amount, currency }
}
