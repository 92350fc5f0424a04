import t from 'tap'
import { isUniqueViolation, repeatOnConflict } from '../../src/database/conflict.ts'

const withCode = (code: string): Error => Object.assign(new Error(code), { code })

/** Work that fails with each of these errors in turn, and then succeeds. */
function failing (...errors: unknown[]): { tries: () => number, work(): Promise<string> } {
  let tries = 0
  return {
    tries: () => tries,
    async work () {
      tries += 1
      if (errors.length > 0) throw errors.shift()
      return 'done'
    }
  }
}

t.test('a transaction that PostgreSQL ended for another one runs again', async t => {
  const { work, tries } = failing(withCode('40001'), withCode('40P01'))

  t.equal(await repeatOnConflict(work), 'done')
  t.equal(tries(), 3)
})

t.test('a conflict that stays ends after five tries with the last error', async t => {
  const errors = Array.from({ length: 9 }, () => withCode('40001'))
  const { work, tries } = failing(...errors)

  t.equal(await repeatOnConflict(work).catch((error: unknown) => error), errors[4])
  t.equal(tries(), 5)
})

t.test('any other failure is no conflict: the work would fail again, or run twice', async t => {
  for (const error of [withCode('23505'), new Error('40001'), { code: '40001' }, undefined]) {
    const { work, tries } = failing(error)
    await repeatOnConflict(work).then(() => t.fail('it succeeded'), thrown => {
      t.equal(thrown, error)
    })
    t.equal(tries(), 1)
  }
})

t.test('a row that is there already is told by the code of PostgreSQL', async t => {
  t.equal(isUniqueViolation(withCode('23505')), true)
  t.equal(isUniqueViolation(withCode('23503')), false)
  t.equal(isUniqueViolation('23505'), false)
})
