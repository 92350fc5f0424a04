import t from 'tap'
import { findFaults } from './find-faults.ts'

t.test('every bad adapter is found by the checks of its calls', { jobs: 3 }, async t => {
  findFaults(t, 2)
})
