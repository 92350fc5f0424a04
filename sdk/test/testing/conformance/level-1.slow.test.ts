import t from 'tap'
import { findFaults } from './find-faults.ts'

t.test('the checks of package and import find every bad adapter', { jobs: 3 }, async t => {
  findFaults(t, 1)
})
