import type { AdapterCall } from '@linker/sdk/host'
import t from 'tap'
import { migrateConfig } from '../../../src/connections/moves/migrate-config.ts'
import type { MigrationStep } from '../../../src/connections/moves/migration-plan.ts'
import { fakeAdapter } from '../support.ts'

const step = (more: Partial<MigrationStep> = {}): MigrationStep => ({
  of: 'target',
  index: 0,
  direction: 'up',
  from: 'feed.api.v1',
  to: '2.0.0',
  isReversible: true,
  ...more
})

function answering (answer: (call: AdapterCall) => unknown) {
  return fakeAdapter({ call: async call => ({ value: answer(call), effects: { cursors: {}, jobs: [] } }) })
}

t.test('every step is run on the adapter that has it, with the config of the step before', async t => {
  const target = answering(({ target, args }) => ({ ...args[0] as object, [`target ${JSON.stringify(target)}`]: true }))
  const current = answering(({ args }) => ({ before: args[0] }))

  t.strictSame(
    await migrateConfig({ a: 1 }, [step({ index: 2 }), step({ of: 'current', direction: 'down' })], {
      target,
      current
    }),
    {
      before: { a: 1, 'target {"kind":"migrate","index":2,"direction":"up"}': true }
    }
  )
  t.strictSame(await migrateConfig({ a: 1 }, [], { target, current }), { a: 1 })
})

t.test('members without a value are not kept, as they would not be read again', async t => {
  t.strictSame(
    await migrateConfig({}, [step()], { target: answering(() => ({ a: undefined, b: 1 })), current: undefined }),
    { b: 1 }
  )
})

for (
  const [what, answer] of Object.entries({
    nothing: undefined,
    null: null,
    text: 'config',
    'an array': [],
    'a date': new Date(),
    'a map': new Map(),
    'a number too large for JSON': { a: 1n }
  })
) {
  t.test(`${what} is refused as a config`, async t => {
    t.match(await migrateConfig({}, [step()], { target: answering(() => answer), current: undefined }), [{
      pointer: '/config',
      code: 'migration-failed',
      message: /feed\.api\.v1 and 2\.0\.0/
    }])
  })
}

t.test('the hub keeps what a migration throws to itself: it may quote secrets', async t => {
  const target = answering(() => {
    throw new Error('no canary-1')
  })
  const failed = await migrateConfig({ key: 'canary-1' }, [step()], { target, current: undefined })

  t.match(failed, [{ code: 'migration-failed' }])
  t.notMatch(JSON.stringify(failed), /canary/)
  t.match(await migrateConfig({}, [step({ of: 'current' })], { target, current: undefined }), [{
    code: 'migration-failed'
  }], 'an adapter that is not there migrates nothing')
})
