import type { MigrationDescription } from '@linker/sdk/host'
import fc from 'fast-check'
import semver from 'semver'
import t from 'tap'
import { planMigrations, type ConfigOwner, type MigrationPlan } from '../../../src/connections/moves/migration-plan.ts'

const v1 = 'feed.api.v1'
const v2 = 'feed.api.v2'

function owner (
  adapterKey: string,
  version: string | undefined,
  ...migrations: (Omit<MigrationDescription, 'isReversible'> & { isReversible?: boolean })[]
): ConfigOwner {
  return { adapterKey, version, migrations: migrations.map(migration => ({ isReversible: true, ...migration })) }
}

const namesOf = ({ steps }: MigrationPlan): string[] =>
  steps.map(({ of, index, direction }) => `${of} ${index} ${direction}`)

t.test('the migrations of the target are chained from the key and version of the connection', async t => {
  const target = owner(v2, '2.4.0', { from: `${v2}@<2.3.0`, to: '2.3.0' }, { from: v1, to: '2.0.0' }, {
    from: `${v2}@>=2.3.0 <2.4.0`,
    to: '2.4.0'
  })

  t.strictSame(namesOf(planMigrations(owner(v1, '1.7.3'), target)), ['target 1 up', 'target 0 up', 'target 2 up'])
  t.strictSame(namesOf(planMigrations(owner(v2, '2.1.0'), target)), ['target 0 up', 'target 2 up'])
  t.strictSame(namesOf(planMigrations(owner(v2, '2.3.5'), target)), ['target 2 up'])
  t.strictSame(namesOf(planMigrations(owner(v2, '2.4.0'), target)), [])
  t.strictSame(namesOf(planMigrations(owner('other.api.v1', '1.0.0'), target)), [])
})

t.test('a range keeps a migration from configs that it was not written for', async t => {
  const target = owner(v2, '2.0.0', { from: `${v1}@>=1.5.0`, to: '2.0.0' })

  t.strictSame(namesOf(planMigrations(owner(v1, '1.5.0'), target)), ['target 0 up'])
  t.strictSame(namesOf(planMigrations(owner(v1, '1.4.9'), target)), [])
})

t.test('a migration beyond the target is not applied, and the fitting one that leads furthest wins', async t => {
  const target = owner(v2, '2.2.0', { from: v1, to: '2.0.0' }, { from: v1, to: '2.2.0' }, { from: v1, to: '2.3.0' })

  t.strictSame(namesOf(planMigrations(owner(v1, '1.0.0'), target)), ['target 1 up'])
})

t.test('a pre-release counts as the release that it leads to: its config is migrated once', async t => {
  const migration = { from: `${v1}@<1.5.0`, to: '1.5.0' }

  t.strictSame(namesOf(planMigrations(owner(v1, '1.4.0'), owner(v1, '1.5.0-rc.1', migration))), ['target 0 up'])
  t.strictSame(namesOf(planMigrations(owner(v1, '1.5.0-rc.1'), owner(v1, '1.5.0', migration))), [])
})

t.test('the way back is that of the current adapter, step by step', async t => {
  const current = owner(v2, '2.3.0', { from: v1, to: '2.0.0' }, { from: `${v2}@<2.3.0`, to: '2.3.0' })

  t.strictSame(namesOf(planMigrations(current, owner(v1, '1.0.0'))), ['current 1 down', 'current 0 down'])
  t.strictSame(namesOf(planMigrations(current, owner(v2, '2.1.0'))), ['current 1 down'])
  t.strictSame(namesOf(planMigrations(current, owner(v2, '2.3.0'))), [])
})

t.test('one step without a way back blocks all of it and is named', async t => {
  const current = owner(v2, '2.3.0', { from: v1, to: '2.0.0', isReversible: false }, {
    from: `${v2}@<2.3.0`,
    to: '2.3.0'
  })

  t.match(planMigrations(current, owner(v1, '1.0.0')), {
    steps: { length: 0 },
    oneWay: { of: 'current', index: 0, from: v1, to: '2.0.0' }
  })
  t.equal(planMigrations(current, owner(v2, '2.1.0')).oneWay, undefined)
})

t.test('while the version of a connection is unknown only another key that names no range fits', async t => {
  const target = owner(v2, '2.0.0', { from: v1, to: '2.0.0' })

  t.strictSame(namesOf(planMigrations(owner(v1, undefined), target)), ['target 0 up'])
  t.strictSame(namesOf(planMigrations(owner(v2, undefined), owner(v2, '2.0.0', { from: v2, to: '2.0.0' }))), [])
  t.strictSame(namesOf(planMigrations(owner(v1, undefined), owner(v2, '2.0.0', { from: `${v1}@*`, to: '2.0.0' }))), [])
})

t.test('a text that is neither a version nor a range fits nothing', async t => {
  t.strictSame(
    namesOf(planMigrations(
      owner(v1, '1.0.0'),
      owner(v2, '2.0.0', { from: `${v1}@nonsense`, to: '2.0.0' }, { from: v1, to: 'nonsense' })
    )),
    []
  )
})

const version = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }), fc.constantFrom('', '-rc.1'))
  .map(([major, minor, rest]) => `${major}.${minor}.0${rest}`)
const key = fc.constantFrom(v1, v2)
const from = fc.tuple(key, fc.option(fc.tuple(fc.constantFrom('<', '>=', '^', ''), version))).map(
  ([adapterKey, range]) => range === null ? adapterKey : `${adapterKey}@${range.join('')}`
)
const migration = fc.record({ from, to: version, isReversible: fc.boolean() })
const anyOwner = fc.record({ adapterKey: key, version, migrations: fc.array(migration, { maxLength: 6 }) })

t.test('every chain ends, takes no migration twice, rises, and stays within the target', async () => {
  fc.assert(fc.property(anyOwner, anyOwner, (current, target) => {
    const steps = planMigrations(current, target).steps.filter(({ direction }) => direction === 'up')
    const reached = steps.map(({ to }) => semver.coerce(to)?.version ?? '')
    return new Set(steps.map(({ index }) => index)).size === steps.length &&
      reached.every((to, index) => index === 0 || semver.gt(to, reached[index - 1] ?? '')) &&
      reached.every(to => semver.lte(to, semver.coerce(target.version)?.version ?? '')) &&
      steps.every(({ index, from, to, of }) =>
        of === 'target' && target.migrations[index]?.from === from && target.migrations[index].to === to
      )
  }))
})

t.test('a config that is migrated up and back goes through the same steps in reverse', async () => {
  fc.assert(fc.property(anyOwner, anyOwner, (current, target) => {
    const there = planMigrations({ ...current, migrations: [] }, target)
    const back = planMigrations(target, { ...current, migrations: [] })
    if (there.steps.some(({ isReversible }) => !isReversible)) {
      return back.steps.length === 0 && back.oneWay?.isReversible === false
    }
    return JSON.stringify(back.steps.map(({ index }) => index)) ===
      JSON.stringify(there.steps.map(({ index }) => index).toReversed())
  }))
})

t.test('a plan has steps up or steps down, never both, and each step down can be undone', async () => {
  fc.assert(fc.property(anyOwner, anyOwner, (current, target) => {
    const { steps, oneWay } = planMigrations(current, target)
    return new Set(steps.map(({ direction }) => direction)).size <= 1 && steps.every(({ direction, isReversible }) =>
      direction === 'up' || isReversible
    ) && (oneWay === undefined || steps.length === 0)
  }))
})
