import fc from 'fast-check'
import t from 'tap'
import { mostPoints, pointsOf, spanOf } from '../../src/figures/span.ts'

const now = Date.parse('2026-03-31T12:34:56Z')
const hour = 3_600_000
const day = 24 * hour
const wanted = (given: { back?: number, until?: number, step?: number }) => ({
  fromMs: given.back === undefined ? undefined : now - given.back,
  toMs: given.until === undefined ? undefined : now - given.until,
  step: given.step
})

t.test('without members, a span is the last day in steps of five minutes', async t => {
  const { from, to, step } = spanOf(wanted({}), now)
  t.strictSame([step, to - from], [300, 86_700])
  t.ok(from * 1_000 <= now - day && to * 1_000 >= now)
})

t.test('every answered span covers what was asked for, and is bounded', async () => {
  const back = fc.integer({ min: 1, max: 90 * day })
  const step = fc.option(fc.integer({ min: 1, max: 2_000 }).map(minutes => minutes * 60), { nil: undefined })
  fc.assert(fc.property(back, step, (ago, seconds) => {
    try {
      const span = spanOf(wanted({ back: ago, step: seconds }), now)
      return pointsOf(span) <= mostPoints && span.from * 1_000 <= now - ago && span.to * 1_000 >= now
    } catch (error) {
      return seconds !== undefined && (error as { statusCode?: number }).statusCode === 400
    }
  }))
})

t.test('a span that the hub cannot answer is refused with the member that is wrong', async t => {
  const cases = [
    [{ back: hour, until: hour }, '/from'],
    [{ back: -hour }, '/from'],
    [{ back: 91 * day }, '/from'],
    [{ back: 49 * hour, step: 300 }, '/step'],
    [{ back: 49 * hour, step: 5_400 }, '/step'],
    [{ back: 40 * hour, step: 60 }, '/step']
  ] as const
  for (const [given, pointer] of cases) {
    t.throws(
      () => spanOf(wanted(given), now),
      { code: 'LNK_REQUEST_INVALID', statusCode: 400, errors: [{ pointer }] },
      JSON.stringify(given)
    )
  }
})

t.test('an end in the future is now', async t => {
  t.strictSame(spanOf(wanted({ back: hour, until: -day }), now), spanOf(wanted({ back: hour }), now))
})
