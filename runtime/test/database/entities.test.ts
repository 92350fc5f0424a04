import t from 'tap'
import { openDatabase } from '../../src/database/database.ts'
import { entities } from '../../src/entities.ts'
import { makePlace } from '../jobs/support.ts'

interface Column {
  table: string
  name: string
  type: string
  isNullable: boolean
  isKey: boolean
}

const selectColumns = `
  select
    tables.relname as table, columns.attname as name,
    format_type(columns.atttypid, null) as type,
    not columns.attnotnull as "isNullable",
    coalesce(columns.attnum = any(keys.conkey), false) as "isKey"
  from pg_class as tables
  join pg_attribute as columns on columns.attrelid = tables.oid
  left join pg_constraint as keys on keys.conrelid = tables.oid and keys.contype = 'p'
  where tables.relnamespace = 'public'::regnamespace
    and tables.relkind = 'r'
    and tables.relname <> 'linker_migrations'
    and columns.attnum > 0
    and not columns.attisdropped`

/** PostgreSQL's own names of the types that MikroORM abbreviates, without a length. */
const longNames: Readonly<Record<string, string>> = {
  int: 'integer',
  timestamptz: 'timestamp with time zone'
}

function typeOf (columnType: string): string {
  const type = columnType.replace(/\(\d+\)$/, '')
  return longNames[type] ?? type
}

function write ({ table, name, type, isNullable, isKey }: Column): string {
  return `${table}.${name} ${type}${isNullable ? '' : ' not null'}${isKey ? ' key' : ''}`
}

t.test('the entities map every column of every table, with its type', async t => {
  const place = await makePlace('embedded')
  t.teardown(() => place.remove())
  const database = await openDatabase(place, { warn: () => undefined }, entities)
  t.teardown(() => database.close())

  const columns = (await database.query<Column>(selectColumns)).map(write)
  const mapped = [...database.orm.getMetadata().getAll().values()].flatMap(({ tableName, props }) =>
    props.filter(({ formula }) => formula === undefined).map(prop =>
      write({
        table: tableName,
        name: prop.fieldNames[0] ?? '',
        type: typeOf(prop.columnTypes[0] ?? ''),
        isNullable: prop.nullable === true,
        isKey: prop.primary === true
      })
    )
  )

  t.ok(columns.length > 200, 'the columns are found')
  t.strictSame(mapped.toSorted(), columns.toSorted())
})
