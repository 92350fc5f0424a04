interface Money {
  amount: string
  currency: string
}

export function amountOf ({ amount, currency }: Money): string {
  return `${amount} ${currency}`
}

const words = { 'prepaid': 'in advance', 'cash-on-delivery': 'on delivery', 'deferred': 'later' } as const

/** How the buyer pays, with the platform's name of it. */
export function paymentWord ({ method, methodName }: { method: keyof typeof words, methodName?: string }): string {
  return methodName === undefined ? words[method] : `${words[method]} (${methodName})`
}
