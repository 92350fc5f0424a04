import type { Schemas } from '@linker/client'
import type { JSX } from 'preact'
import { addressOf } from '../../rules/addresses.ts'
import { previewSentence } from '../../rules/preview-sentence.ts'
import { Table } from '../../show/table.tsx'

type PreviewOf = Schemas['ReconcilePreview']

/** The answer of a dry run: what would change, what would not, and what is missing. */
export function Preview ({ preview }: { preview: PreviewOf }): JSX.Element {
  const { changes, keeps, missingVariants } = preview
  return (
    <>
      <p class='aside'>{previewSentence(preview)}</p>
      <Table
        caption='What a repair changes, the first 200'
        rows={changes}
        keyOf={({ productExternalId = '', externalId }) => `${productExternalId} ${externalId}`}
        columns={[
          { head: 'Variant or offer', cell: ({ externalId }) => <code>{externalId}</code> },
          { head: 'Product', cell: ({ productExternalId }) => productExternalId ?? '' },
          { head: 'From', cell: ({ from }) => from ?? 'none', isNumber: true },
          { head: 'To', cell: ({ to }) => to, isNumber: true }
        ]}
        empty={null}
      />
      <Table
        caption='What stays different, the first 200'
        rows={keeps}
        keyOf={({ externalId }) => externalId}
        columns={[
          { head: 'Offer', cell: ({ externalId }) => <code>{externalId}</code> },
          { head: 'From', cell: ({ from }) => from ?? 'none', isNumber: true },
          { head: 'To', cell: ({ to }) => to, isNumber: true },
          { head: 'Because', cell: ({ because }) => because }
        ]}
        empty={null}
      />
      <Missing variants={missingVariants} />
    </>
  )
}

/** The variants that the shop did not list. */
export function Missing ({ variants }: { variants: PreviewOf['missingVariants'] }): JSX.Element {
  return (
    <Table
      caption='Variants that the shop does not list, the first 200'
      rows={variants}
      keyOf={({ variantId }) => variantId}
      hrefOf={({ variantId }) => addressOf.variant(variantId)}
      columns={[
        { head: 'Variant', cell: ({ name, externalId }) => name ?? externalId },
        { head: 'SKU', cell: ({ sku }) => sku ?? '' },
        { head: 'Product', cell: ({ productExternalId }) => productExternalId },
        { head: 'Quantity now', cell: ({ quantity }) => quantity, isNumber: true }
      ]}
      empty={null}
    />
  )
}
