import { randomUUID } from 'node:crypto'
import { readTables } from '../../src/backup/store.ts'
import type { Query } from '../../src/database/database.ts'

interface Column {
  table: string
  name: string
  type: string
  isNullable: boolean
  /** PostgreSQL numbers the rows itself. */
  isNumbered: boolean
  check: string | null
  parent: string | null
  parentColumn: string | null
}

const selectColumns = `
  select
    tables.relname as "table", columns.attname as name, format_type(columns.atttypid, null) as type,
    not columns.attnotnull as "isNullable",
    columns.attidentity <> '' or coalesce(pg_get_expr(defaults.adbin, defaults.adrelid) like 'nextval%', false)
      as "isNumbered",
    (
      select string_agg(pg_get_constraintdef(checks.oid), ' ')
      from pg_constraint as checks
      where checks.conrelid = tables.oid and checks.contype = 'c' and columns.attnum = any(checks.conkey)
    ) as "check",
    parents.relname as parent, targets.attname as "parentColumn"
  from pg_class as tables
  join pg_attribute as columns on columns.attrelid = tables.oid and columns.attnum > 0 and not columns.attisdropped
  left join pg_attrdef as defaults on defaults.adrelid = tables.oid and defaults.adnum = columns.attnum
  left join pg_constraint as keys
    on keys.conrelid = tables.oid and keys.contype = 'f' and keys.conkey = array[columns.attnum]
  left join pg_class as parents on parents.oid = keys.confrelid
  left join pg_attribute as targets on targets.attrelid = parents.oid and targets.attnum = keys.confkey[1]
  where tables.relnamespace = 'public'::regnamespace and tables.relkind = 'r'
  order by tables.relname, columns.attnum`

/** Texts that a careless format would change. */
const awkward = '"quoted" back\\slash \\N tab\t line\nbreak \u2028 é € 𝄞 {a,b}'

/**
 * How many rows each table gets: one with every value, and one with a null wherever it may be. A
 * table whose key must be true has room for the first only.
 */
const rowsOfTable = 2

/**
 * Fills every table of the hub with rows that differ in all values, whatever tables later
 * migrations add. `values` replaces the value of a column by its `table.column`.
 */
export async function fillTables (
  query: Query,
  leftOut: readonly string[],
  values: Readonly<Record<string, unknown>> = {}
): Promise<void> {
  const columns = Map.groupBy(await query<Column>(selectColumns), ({ table }) => table)
  for (const { name } of await readTables(query)) {
    if (leftOut.includes(name)) continue
    const filled = (columns.get(name) ?? []).filter(({ isNumbered }) => !isNumbered)
    const hasOneRow = filled.some(column => column.check === `CHECK (${column.name})`)
    for (let row = 0; row < (hasOneRow ? 1 : rowsOfTable); row++) {
      const given: unknown[] = []
      for (const column of filled) given.push(await valueOf(query, column, row, values))
      await query(
        `insert into ${name} (${filled.map(column => `"${column.name}"`).join(', ')}) values (${
          filled.map(({ type }, index) => `$${index + 1}::text::${type}`).join(', ')
        })`,
        given
      )
    }
  }
}

async function valueOf (
  query: Query,
  column: Column,
  row: number,
  values: Readonly<Record<string, unknown>>
): Promise<unknown> {
  const { table, name, type, isNullable, check, parent, parentColumn } = column
  const own = values[`${table}.${name}`]
  if (own !== undefined) return own
  if (isNullable && row === rowsOfTable - 1) return null
  if (parent !== null && parentColumn !== null) {
    const rows = await query<{ value: string }>(`select "${parentColumn}"::text as value from ${parent} order by 1`)
    return rows[row]?.value
  }
  return /'([^']+)'::text/.exec(check ?? '')?.[1] ?? exampleOf(type, row)
}

function exampleOf (type: string, row: number): string {
  switch (type) {
    case 'uuid':
      return randomUUID()
    case 'uuid[]':
      return `{${randomUUID()},${randomUUID()}}`
    case 'text':
      return `${awkward} ${randomUUID()}`
    case 'boolean':
      return String(row === 0)
    case 'integer':
      return String(2_147_483_000 + row)
    case 'bigint':
      return String(9_007_199_254_740_993n + BigInt(row))
    case 'double precision':
      return String(0.1 + row)
    case 'jsonb':
      return JSON.stringify({ text: awkward, number: row, price: 1.5, none: null, list: [[]] })
    case 'json':
      return `{ "b" : 1.50,\n "a" : "\\u0000", "a": ${row} }`
    case 'timestamp with time zone':
      return `2026-01-0${row + 2} 03:04:05.123456+00`
    default:
      throw new TypeError(`no example of the type ${type}: add one, and check that a backup keeps it exactly`)
  }
}
