interface Price {
  amount: string
  currency: string
}

const pattern = /^(\d{1,10}(?:[.,]\d{1,2})?)\s*([a-z]{3})$/i

/** Reads a price that a person typed, such as `12,90 eur`. Undefined: it is none. */
export function parsePrice (text: string): Price | undefined {
  const [, amount, currency] = pattern.exec(text.trim()) ?? []
  return amount === undefined || currency === undefined
    ? undefined
    : { amount: amount.replace(',', '.'), currency: currency.toUpperCase() }
}

/** Why the typed price is none. Undefined: it is one, or nobody typed one. */
export function faultOfPrice (text: string): string | undefined {
  return text.trim() === '' || parsePrice(text) !== undefined ? undefined : 'Give the price as 12.90 EUR.'
}

export function priceText (price: Price | null): string {
  return price === null ? '' : `${price.amount} ${price.currency}`
}
