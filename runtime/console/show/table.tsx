import type { ComponentChildren, JSX } from 'preact'
import type { LiveRows } from '../hub/live.ts'
import { Loaded } from './loaded.tsx'

export interface Column<Row> {
  head: string
  cell: (row: Row) => ComponentChildren
  /** Numbers stand at the right, with digits of one width. */
  isNumber?: boolean
}

interface TableProps<Row> {
  /** Says what the rows are; screen readers read it first. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** The address of a row's page. The first cell is the link to it. */
  hrefOf?: ((row: Row) => string) | undefined
  /** Shown when there are no rows. */
  empty: ComponentChildren
}

/** A table that becomes a list of cards on a narrow screen. The roles survive that change. */
export function Table<Row> ({ caption, columns, rows, keyOf, hrefOf, empty }: TableProps<Row>): JSX.Element {
  if (rows.length === 0) return <>{empty}</>
  return (
    <div class='table'>
      <table role='table'>
        <caption>{caption}</caption>
        <thead role='rowgroup'>
          <tr role='row'>
            {columns.map(({ head, isNumber }) => (
              <th key={head} role='columnheader' scope='col' class={isNumber === true ? 'number' : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role='rowgroup'>
          {rows.map(row => (
            <tr key={keyOf(row)} role='row'>
              {columns.map(({ head, cell, isNumber }, index) => (
                <td key={head} role='cell' data-head={head} class={isNumber === true ? 'number' : undefined}>
                  {index === 0 && hrefOf !== undefined
                    ? <a class='row' href={hrefOf(row)}>{cell(row)}</a>
                    : cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A table of a list of the hub, with a button for more rows. */
export function LiveTable<
  Row
> ({ live, ...table }: Omit<TableProps<Row>, 'rows'> & { live: LiveRows<Row> }): JSX.Element {
  return (
    <Loaded live={live}>
      {rows => (
        <>
          <Table {...table} rows={rows} />
          {live.more !== undefined && (
            <p class='more'>
              {rows.length} shown. <button type='button' onClick={live.more}>Show more</button>
            </p>
          )}
        </>
      )}
    </Loaded>
  )
}
