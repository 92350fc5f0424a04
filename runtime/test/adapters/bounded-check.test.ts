import { createCurrentCall, describeTarget } from '@linker/sdk/host'
import t from 'tap'
import { createRunCheck } from '../../src/adapters/bounded-check.ts'

const target = { kind: 'route', index: 0 } as const
/** An input so large that its check has a time limit. */
const large = 'x'.repeat(10_000)

function setUp (limitMs = 200) {
  const currentCall = createCurrentCall()
  let underWay = 0
  const inlineCalls = {
    begin () {
      underWay += 1
    },
    end () {
      underWay -= 1
    }
  }
  return { currentCall, underWay: () => underWay, runCheck: createRunCheck({ currentCall, inlineCalls, limitMs }) }
}

t.test('a check counts as a call of the adapter, and its caller gets the result or the error', async t => {
  const { currentCall, underWay, runCheck } = setUp()
  const seen = runCheck('feed.api.v1@1.0.0', target, {}, () => {
    const store = currentCall.getStore()
    return {
      adapter: store?.adapter,
      target: store === undefined ? undefined : describeTarget(store.call.target),
      underWay: underWay()
    }
  })

  t.strictSame(seen, { adapter: 'feed.api.v1@1.0.0', target: 'route 0', underWay: 1 })
  for (const input of [{}, large]) {
    const fail = (): never => {
      throw new RangeError('as it was thrown')
    }
    t.throws(() => runCheck('feed.api.v1@1.0.0', target, input, fail), {
      name: 'RangeError',
      message: 'as it was thrown'
    })
    t.equal(
      runCheck('feed.api.v1@1.0.0', target, input, () => runCheck('other.api.v1@1.0.0', target, input, () => 'inner')),
      'inner'
    )
  }
  t.equal(underWay(), 0)
})

t.test('the hub breaks off a check that does not end and names the adapter, and later checks run', async t => {
  const { currentCall, underWay, runCheck } = setUp()
  const endless: (() => unknown)[] = [
    () => {
      for (;;) { /* for ever */ }
    },
    () => /^(a+)+$/.test(`${'a'.repeat(60)}!`)
  ]
  for (const check of endless) {
    t.throws(() => runCheck('feed.api.v1@1.0.0', target, large, check), {
      code: 'LNK_ADAPTER_CHECK_STOPPED',
      message: /'feed\.api\.v1@1\.0\.0' after 200 ms/
    })
    t.equal(currentCall.getStore(), undefined)
    t.equal(underWay(), 0)
    t.equal(runCheck('feed.api.v1@1.0.0', target, large, () => 'well'), 'well')
    t.equal(await Promise.resolve('and so does the event loop'), 'and so does the event loop')
  }
})
