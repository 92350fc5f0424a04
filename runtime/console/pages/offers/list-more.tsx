import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Connections } from '../../hub/connections.ts'
import { hub, toPage } from '../../hub/hub.ts'
import { useRows } from '../../hub/live.ts'
import { listableOf, mostAtOnce, nameOfRow } from '../../rules/listable.ts'
import { quantityText } from '../../rules/stock-rows.ts'
import { Filters, useFilter, type FilterField } from '../../show/filters.tsx'
import { Empty } from '../../show/loaded.tsx'
import { Section } from '../../show/page.tsx'
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
      {marketplace === undefined
        ? (
          <section class='card'>
            <Empty>Choose a marketplace. Below then stand the variants that it does not show yet.</Empty>
          </section>
        )
        : <Choice key={marketplace} connectionId={marketplace} q={q} name={connections.nameOf(marketplace)} />}
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

  function tick (row: Row, isTicked: boolean): void {
    const next = new Map(ticked)
    if (isTicked) next.set(row.variantId, nameOfRow(row))
    else next.delete(row.variantId)
    setTicked(next)
  }

  const shown = rows?.slice(0, mostAtOnce) ?? []
  const hasAll = shown.length > 0 && shown.every(({ variantId }) => ticked.has(variantId))
  const tickAll = shown.length === rows?.length ? 'Tick all' : `Tick the first ${shown.length}`
  return (
    <Section
      title={`Not on sale at ${name}`}
      actions={
        <>
          <span class='muted' role='status'>{ticked.size} ticked</span>
          {shown.length > 0 && (
            <button
              type='button'
              onClick={() => setTicked(hasAll ? new Map() : new Map(shown.map(row => [row.variantId, nameOfRow(row)])))}
            >
              {hasAll ? 'Untick all' : tickAll}
            </button>
          )}
          <ListVariants
            connectionId={connectionId}
            marketplace={name}
            variants={ticked}
            done={() => setTicked(new Map())}
          />
        </>
      }
    >
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
          { head: 'Elsewhere', cell: ({ offers }) => offers.length, isNumber: true }
        ]}
        empty={
          <Empty>
            {wordsForNone(name, q, { isMore: found.more !== undefined, hasAny: (found.data ?? []).length > 0 })}
          </Empty>
        }
      />
    </Section>
  )
}

function wordsForNone (
  name: string,
  q: string | undefined,
  { isMore, hasAny }: { isMore: boolean, hasAny: boolean }
): string {
  if (isMore) return `${name} shows these variants already. There are more; or search for one.`
  if (q !== undefined) return `No variant of this search is missing at ${name}.`
  return hasAny ? `${name} shows every variant of the shops already.` : 'The hub has read no variant of a shop yet.'
}
