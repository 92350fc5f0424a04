import t from 'tap'
import { cheapestKind, openJobsFor } from '../../jobs/support.ts'
import { readChapter } from '../../pages.ts'

const selectTables = `
  select distinct table_name as name
  from information_schema.columns
  where table_schema = 'public'
    and (column_name like '%connection_id' or table_name in ('connections', 'job_holds', 'integration_credentials'))
  order by table_name`

t.test('the documentation says of every table that names a connection what a deletion does with its rows', async t => {
  const jobs = await openJobsFor(t, cheapestKind)
  const tables = await jobs.database.query<{ name: string }>(selectTables)
  const chapter = await readChapter('connections', 'Delete a connection')
  const rows = chapter.split('\n').filter(line => line.startsWith('| `'))
  const decided = rows.flatMap(row => [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+)`/g)].map(match => match[1]))

  t.ok(tables.length > 15, 'the tables are found')
  t.strictSame(tables.filter(({ name }) => !decided.includes(name)), [])
})
