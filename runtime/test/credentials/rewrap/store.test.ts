import t from 'tap'
import { ownSealedTables } from '../../../src/credentials/rewrap/store.ts'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'

t.test('credentials that several connections share are listed once, with the oldest of them', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const { query } = jobs.database
  await query(`
    insert into integration_credentials (
      ref, platform_type, credentials_json, encrypted, version, created_at, updated_at
    )
    select ref, 'probe', '{}', false, 1, now(), now()
    from unnest(array['alone', 'shared']) as given (ref)`)
  const share = "update connections set credentials_ref = 'db:shared', created_at = $2 where id = $1"
  await query(share, [await jobs.addConnection(), '2026-01-02'])
  const oldest = await jobs.addConnection()
  await query(share, [oldest, '2026-01-01'])

  const listed = await Promise.all(ownSealedTables(query).map(table => table.list('k1', '', 10)))
  t.strictSame(listed.flat().map(({ id, connection }) => [id, connection?.id]), [
    ['alone', undefined],
    ['shared', oldest]
  ])
})
