import t from 'tap'
import { markChain, nameOfStep, toneOfVerdict } from '../../console/rules/verdicts.ts'
import { Step, Verdict } from '../../src/offers/explanation/schemas.ts'

t.test('each verdict of the hub has a tone of its own choice, and an unknown one looks neutral', async t => {
  const tones = Verdict.anyOf.map(({ const: verdict }) => [verdict, toneOfVerdict(verdict)])

  t.strictSame(tones.filter(([, tone]) => tone === 'info').map(([verdict]) => verdict), [
    'switched-off',
    'reserved',
    'limited'
  ])
  t.equal(toneOfVerdict('in-step'), 'good')
  t.equal(toneOfVerdict('of-a-newer-hub'), 'info')
})

t.test('each step of the hub has a name', async t => {
  for (const { const: step } of Step.properties.step.anyOf) t.not(nameOfStep(step), step)
})

t.test('a chain marks what is held back on purpose, what differs and what nobody knows', async t => {
  const marked = markChain([
    { step: 'master', quantity: 20 },
    { step: 'after-reservations', quantity: 18 },
    { step: 'after-limits', quantity: 18 },
    { step: 'wanted', quantity: null },
    { step: 'written', quantity: 20 },
    { step: 'shown', quantity: null }
  ])

  t.strictSame(marked.map(({ mark }) => mark), ['same', 'less', 'same', 'unknown', 'differs', 'unknown'])
})
