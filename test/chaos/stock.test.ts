import t from 'tap'
import { changeStockUnderFaults, mustBeZero } from './stock.ts'

const zeros = Object.fromEntries(mustBeZero.map(name => [name, 0]))

// Short cuts of `npm run chaos -- stock`. Embedded: there a process that starts knows at once what a killed one left.
t.test('stock converges although webhooks are lost, repeated, delayed and shuffled and the hub is killed', async t => {
  const { counts, explanations } = await changeStockUnderFaults({ mode: 'embedded', environment: process.env, changes: 60, variants: 10, kills: 2, seed: 11 })

  t.match(counts, { changes: 60, kills: 2, ...zeros }, explanations.join('\n'))
  t.ok(counts.dropped > 0 && counts.sent > 0 && counts.writes > 10, JSON.stringify(counts))
})

t.test('stock of which no webhook arrives converges within one sweep', async t => {
  const { counts, explanations } = await changeStockUnderFaults({ mode: 'embedded', environment: process.env, changes: 20, variants: 10, kills: 0, seed: 12, dropShare: 1 })

  t.match(counts, { sent: 0, dropped: 20, ...zeros }, explanations.join('\n'))
  t.ok(counts.behind > 0, 'without a sweep nothing would have arrived')
})
