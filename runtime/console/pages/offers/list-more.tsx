import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Connections } from '../../hub/connections.ts'
import { hub, toPage } from '../../hub/hub.ts'
import { useRows } from '../../hub/live.ts'
import { listableOf, mostAtOnce, nameOfRow } from '../../rules/listable.ts'
import { quantityText } from '../../rules/stock-rows.ts'
import { Filters, useFilter, type FilterField } from '../../show/filters.tsx'
import { Empty } from '../../show/loaded.tsx'
import { LiveTable } from '../../show/table.tsx'
import { ListVariants } from './list-variants.tsx'

type Row = Schemas['Stock']
type Name = 'marketplace' | 'q'

/** Puts variants of the shops on sale at a marketplace: choose it, tick them, list them. */
export function ListMore ({ connections }: { connections: Connections }): JSX.Element {
  const marketplaces = connections.having('OfferManager', 'Marketplace')
  const fields: readonly FilterField<Name>[] = [
    {
      name: 'marketplace',
      label: 'Marketplace',
      choices: marketplaces.map(({ id, name }) => [id, name]),
      none: 'choose one'
    },
    { name: 'q', label: 'Search', placeholder: 'SKU, EAN, name' }
  ]
  const { marketplace, q } = useFilter(fields)
  return (
    <>
      <Filters fields={fields} keeps={['view']} />
      <section class='card'>
        {marketplace === undefined
          ? <Empty>Choose a marketplace. Below then stand the variants that it does not show yet.</Empty>
          : <Choice key={marketplace} connectionId={marketplace} q={q} name={connections.nameOf(marketplace)} />}
      </section>
    </>
  )
}

function Choice ({ connectionId, q, name }: {
  connectionId: string,
  q: string | undefined,
  name: string
}): JSX.Element {
  const [ticked, setTicked] = useState<ReadonlyMap<string, string>>(new Map())
  const found = useRows(
    async (cursor, signal) => toPage(await hub.request('get', '/stock', { query: { q, limit: 200, cursor }, signal })),
    [q],
    { everyMs: 0 }
  )
  const rows = found.data === undefined ? undefined : listableOf(found.data, connectionId)
  const isShort = rows !== undefined && rows.length === 0 && found.more !== undefined

  // A page of variants that are all on sale already says nothing: look at the next one.
  useEffect(() => {
    if (isShort) found.more?.()
  }, [isShort, found.data])

  function tick (row: Row, isTicked: boolean): void {
    const next = new Map(ticked)
    if (isTicked) next.set(row.variantId, nameOfRow(row))
    else next.delete(row.variantId)
    setTicked(next)
  }

  const shown = rows?.slice(0, mostAtOnce) ?? []
  const hasAll = shown.length > 0 && shown.every(({ variantId }) => ticked.has(variantId))
  return (
    <>
      <p class='actions'>
        <ListVariants
          connectionId={connectionId}
          marketplace={name}
          variants={ticked}
          done={() => setTicked(new Map())}
        />
        {shown.length > 0 && (
          <button
            type='button'
            onClick={() => setTicked(hasAll ? new Map() : new Map(shown.map(row => [row.variantId, nameOfRow(row)])))}
          >
            {hasAll ? 'Untick all' : `Tick the first ${shown.length}`}
          </button>
        )}
        <span class='muted' role='status'>{ticked.size} ticked</span>
      </p>
      <LiveTable<Row>
        live={{ ...found, data: rows }}
        caption={`Variants that ${name} does not show yet`}
        keyOf={({ variantId }) => variantId}
        columns={[
          {
            head: 'Variant',
            cell: row => (
              <label class='check'>
                <input
                  type='checkbox'
                  checked={ticked.has(row.variantId)}
                  onChange={event => tick(row, event.currentTarget.checked)}
                />
                {nameOfRow(row)}
              </label>
            )
          },
          { head: 'SKU', cell: ({ sku }) => sku ?? '' },
          { head: 'EAN', cell: ({ ean }) => ean ?? '' },
          { head: 'In the shop', cell: quantityText, isNumber: true },
          { head: 'On sale elsewhere', cell: ({ offers }) => offers.length, isNumber: true }
        ]}
        empty={
          <Empty>
            {q === undefined
              ? `${name} shows every variant of the shops already, or the hub has read none yet.`
              : `No variant of this search is missing at ${name}.`}
          </Empty>
        }
      />
    </>
  )
}
