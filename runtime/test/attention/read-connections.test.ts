import t from 'tap'
import { awayIn } from '../../src/attention/read-connections.ts'

const pin = { adapterKey: 'shop.api.v1', adapterVersion: '2.0.0' }
const away = { ...pin, problem: 'not installed' }
const serves = { host: 'a', pid: 1, adaptersAway: [] }
const lacks = { host: 'b', pid: 2, adaptersAway: [away] }

t.test('an adapter is away as long as one process lacks it', async t => {
  t.match(awayIn([serves, lacks], pin), {
    problem: 'not installed',
    processes: [{ host: 'b', pid: 2 }],
    isEverywhere: false
  })
  t.match(awayIn([lacks, { ...lacks, pid: 3 }], pin), { processes: { length: 2 }, isEverywhere: true })
  t.equal(awayIn([serves, { ...serves, pid: 3 }], pin), null)
})

t.test('another version of it does not matter', async t => {
  t.equal(awayIn([lacks], { ...pin, adapterVersion: '1.0.0' }), null)
  t.equal(awayIn([lacks], { ...pin, adapterVersion: null }), null)
})
