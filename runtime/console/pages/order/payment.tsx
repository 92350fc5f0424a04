import type { JSX } from 'preact'
import { amountOf, paymentWord } from '../../rules/order-payment.ts'
import { Facts } from '../../show/facts.tsx'
import { Section } from '../../show/page.tsx'
import type { Order } from '../order.tsx'

/** What the total consists of, and whether it is paid. */
export function Payment ({ order }: { order: Order }): JSX.Element {
  const { total, payment, shipping, extras = [] } = order.snapshot
  return (
    <Section title='Payment'>
      <Facts
        of={[
          ['Paid', paymentWord(payment)],
          ['Paid so far', amountOf(payment.paid)],
          ['Total', amountOf(total)],
          ['Price of the delivery', amountOf(shipping.price)],
          ...extras.map(({ kind, name, price }): [string, string] => [
            name === '' ? kind : name,
            amountOf(price)
          ])
        ]}
      />
    </Section>
  )
}
