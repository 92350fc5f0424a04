import t, { type Test } from 'tap'
import { checkSameDatabase, checkSchema } from '../../../src/cli/doctor/schema.ts'
import type { OpenedDatabase } from '../../../src/cli/doctor/servers.ts'
import { readConfig } from '../../../src/config.ts'
import { openDatabase, type Query } from '../../../src/database/database.ts'
import { entities } from '../../../src/entities.ts'
import type { ProcessView } from '../../../src/system/schemas.ts'
import { cheapestKind, makePlace } from '../../jobs/support.ts'

const config = readConfig({}, '/project')
const processId = '0b5e8f7a-3f0c-4c3e-9d0a-5a1f7d6c2e11'
const system = { mode: 'postgres' as const, processes: [{ id: processId, answers: true } as ProcessView] }

/** Opens a database of this hub, as the doctor does. */
async function openMigrated (t: Test): Promise<OpenedDatabase & { query: Query }> {
  const place = await makePlace(cheapestKind)
  const { query, close } = await openDatabase(place, { warn: () => undefined }, entities)
  t.teardown(async () => {
    await close()
    await place.remove()
  })
  return { findings: [], query, close: async () => undefined }
}

t.test('the doctor says what the next start would do to the tables', async t => {
  const opened = await openMigrated(t)

  t.strictSame(await checkSchema(config, opened), [], 'nothing when they are up to date')
  await opened.query(`delete from linker_migrations where name = '0067-return-requests'`)
  t.match(await checkSchema(config, opened), [{
    mark: 'ok',
    message: 'the next start runs these migrations, after a backup into /project/.linker: 0067-return-requests'
  }])
  t.match(await checkSchema({ ...config, backsUpBeforeUpgrade: false }, opened), [{ message: /, without a backup \(/ }])
  await opened.query(`insert into linker_migrations (name) values ('0900-later')`)
  await opened.query(`insert into hub_versions (version, migrated_at) values ('9.8.7', now() + interval '1 hour')`)
  t.match(await checkSchema(config, opened), [{
    mark: 'failed',
    message: /belongs to hub 9\.8\.7\. This hub is .*0900-later.*before-<its version>-<time>\.backup\.gz/
  }])
  t.strictSame(await checkSchema(config, { ...opened, query: async () => [] }), [], 'nor without tables')
})

t.test('a database older than its list of versions, or one that cannot be read, hides no other finding', async t => {
  const opened = await openMigrated(t)
  await opened.query('drop table hub_versions')
  await opened.query(`delete from linker_migrations where name >= '0034'`)

  t.match(await checkSchema(config, opened), [{ mark: 'ok', message: /: 0034-hub-versions, / }])
  const broken = { ...opened, query: () => Promise.reject(new Error('permission denied')) }
  t.match(await checkSchema(config, broken), [{
    mark: 'failed',
    message: 'cannot read its migrations: permission denied'
  }])
})

t.test('a hub that keeps its processes in another database is a warning', async t => {
  const served = readConfig({ DATABASE_URL: 'postgres://db.example/linker' }, '/project')
  const answering = (processes: readonly object[]): OpenedDatabase => ({
    findings: [],
    query: async <Row>(text: string) => (text.includes('to_regclass') ? [{ areThere: true }] : processes) as Row[],
    close: async () => undefined
  })
  const warned = [{ mark: 'warning', message: 'the running hub uses another database than the next start from here' }]

  t.strictSame(await checkSameDatabase(system, served, answering([{}])), [])
  t.match(await checkSameDatabase(system, served, answering([])), warned)
  t.strictSame(await checkSameDatabase({ ...system, mode: 'embedded' }, served, answering([])), [])
  t.strictSame(await checkSameDatabase(system, config, answering([])), [], 'the data directory tells it')
})
