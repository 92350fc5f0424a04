/** The members of answers whose published schema has null, as paths without indexes. */
const nullable: ReadonlySet<string> = new Set([
  // A single offer.
  'sellingMode.minimalPrice',
  'sellingMode.startingPrice',
  'additionalServices',
  'afterSalesServices',
  'stock',
  'delivery.shippingRates',
  'taxSettings',
  'publication.duration',
  'publication.endingAt',
  'publication.endedBy',
  // The tax of a line.
  ...['lineItems.tax', 'checkoutForms.lineItems.tax'].flatMap(tax =>
    ['rate', 'subject', 'exemption'].map(name => `${tax}.${name}`)
  ),
  // A command, an error, and the journal.
  'completedAt',
  'errors.details',
  'errors.path',
  'latestEvent'
])

/** Returns an answer without the members that are null although their schema has no null. */
export function withoutEmpty (value: unknown, path = ''): unknown {
  if (Array.isArray(value)) return value.map(item => withoutEmpty(item, path))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).flatMap(([name, member]) => {
    const of = path === '' ? name : `${path}.${name}`
    return member === null && !nullable.has(of) ? [] : [[name, withoutEmpty(member, of)]]
  }))
}
