import { mayIdle } from '../database/session.ts'

/** The tables and columns of the schema, without columns that PostgreSQL computes. */
export const selectColumns = `
  select
    tables.relname as "table", columns.attname as name,
    format_type(columns.atttypid, columns.atttypmod) as type
  from pg_class as tables
  join pg_namespace as schemas on schemas.oid = tables.relnamespace
  join pg_attribute as columns on columns.attrelid = tables.oid
  where schemas.nspname = current_schema()
    and tables.relkind = 'r'
    and columns.attnum > 0
    and not columns.attisdropped
    and columns.attgenerated = ''
  order by tables.relname, columns.attnum`

/** SQL: the pairs of tables of which the first refers to the second. */
export const selectReferences = `
  select distinct children.relname as child, parents.relname as parent
  from pg_constraint as keys
  join pg_class as children on children.oid = keys.conrelid
  join pg_class as parents on parents.oid = keys.confrelid
  join pg_namespace as schemas on schemas.oid = children.relnamespace
  where keys.contype = 'f' and schemas.nspname = current_schema()
  order by child, parent`

export const selectSequences = `
  select sequencename as name from pg_sequences where schemaname = current_schema() order by sequencename`

export const selectSequenceState = (sequence: string): string => `
  select last_value::text as "lastValue", is_called::text as "isCalled" from ${quoted(sequence)}`

/** $1 name, $2 last value, $3 whether it was given out. Leaves out one that does not exist. */
export const setSequence = `
  select setval(quote_ident(sequencename)::regclass, $2::bigint, $3::boolean)
  from pg_sequences
  where schemaname = current_schema() and sequencename = $1`

// The text form of each type is exact: PostgreSQL reads back what it wrote.
export const beginSnapshot = [
  'set transaction isolation level repeatable read, read only',
  mayIdle,
  'set local enable_seqscan = on'
]

/** A cursor over the rows of a table, each as a JSON array of texts. */
export const declareRows = (table: string, columns: readonly string[], condition = 'true'): string => `
  declare backup_rows no scroll cursor for
  select array_to_json(array[${columns.map(column => `${quoted(column)}::text`).join(', ')}]::text[])::text as line
  from ${quoted(table)}
  where ${condition}`

export const fetchRows = (count: number): string => `fetch ${count} from backup_rows`
export const closeRows = 'close backup_rows'

export interface Column {
  name: string
  type: string
}

/** $1…: one array of texts per column. `onConflict` says what becomes of a row that is there. */
export const insertRows = (table: string, columns: readonly Column[], onConflict = ''): string => `
  insert into ${quoted(table)} (${columns.map(({ name }) => quoted(name)).join(', ')})
  overriding system value
  select ${columns.map(({ name, type }) => `given.${quoted(name)}::${type}`).join(', ')}
  from unnest(${columns.map((_, index) => `$${index + 1}::text[]`).join(', ')}) as given (${
  columns.map(({ name }) => quoted(name)).join(', ')
})
  ${onConflict}`

export const selectIsFilled = (table: string): string => `
  select exists (select from ${quoted(table)}) as "isFilled"`

export const deleteRows = (table: string): string => `delete from ${quoted(table)}`

export const selectRunningHubs = `
  select count(*)::integer as count
  from pg_stat_activity
  where datname = current_database() and application_name = 'linker-listen'`

export const selectDatabaseBytes = 'select pg_database_size(current_database())::float8 as bytes'

function quoted (name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
