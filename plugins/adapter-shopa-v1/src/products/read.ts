import type { Product, Variant } from '@linker/sdk'
import type { LocalTime } from '../webservice/local-time.ts'
import { associatedIds, isOff, isSet, localized, reference, text, type Row } from '../webservice/row.ts'
import { simpleVariantId } from './ids.ts'
import type { PricesAndTaxes } from './prices.ts'
import type { ReadVariantNames } from './variant-names.ts'

export interface ReadingOptions {
  shopUrl: string
  imageType: string
  languageId: string | undefined
  /**
   * `undefined` when the shop's time zone is unknown: then the instant of a change is unknown too.
   */
  time: LocalTime | undefined
  prices: PricesAndTaxes
  variantNames: ReadVariantNames
}

/** Reads a product from its row and the rows of its combinations. */
export function readProduct (row: Row, combinations: readonly Row[], options: ReadingOptions): Product {
  const id = reference(row.id)
  const updatedAt = options.time?.toInstant(text(row.date_upd) ?? '')

  return {
    externalId: id,
    name: localized(row.name, options.languageId) ?? '',
    description: localized(row.description, options.languageId),
    isActive: isSold(row),
    variants: combinations.length === 0
      ? [simpleVariant(row, options)]
      : combinations.map(combination => combinationVariant(combination, row, combinations.length, options)),
    imageUrls: imageUrls(coverFirst(associatedIds(row, 'images'), reference(row.id_default_image)), options),
    updatedAt: updatedAt?.toISOString()
  }
}

/** Whether the shop sells a product: it is switched on, and for order. */
export function isSold (row: Row): boolean {
  return isSet(row.active) && !isOff(row.available_for_order)
}

function simpleVariant (row: Row, options: ReadingOptions): Variant {
  return {
    externalId: simpleVariantId(reference(row.id)),
    ...identifiers(row),
    ...options.prices.prices(row),
    taxRate: options.prices.taxRate(row)
  }
}

function combinationVariant (combination: Row, product: Row, siblings: number, options: ReadingOptions): Variant {
  const images = associatedIds(combination, 'images')
  // The product's own barcode identifies a combination only when there is a single one.
  const inherited = siblings === 1 ? barcode(product) : {}
  return {
    externalId: reference(combination.id),
    ...options.variantNames(combination),
    ...inherited,
    ...identifiers(combination),
    ...options.prices.prices(product, combination),
    taxRate: options.prices.taxRate(product),
    imageUrls: images.length === 0 ? undefined : imageUrls(images, options)
  }
}

function identifiers (row: Row): { sku?: string, ean?: string } {
  return { sku: text(row.reference), ...barcode(row) }
}

// Pad a 12-digit UPC-A: it is the same number as the EAN-13 with a leading zero, and unpadded the
// two never match.
function barcode (row: Row): { ean?: string } {
  const code = text(row.ean13) ?? text(row.upc)
  return code === undefined ? {} : { ean: /^[0-9]{12}$/.test(code) ? `0${code}` : code }
}

function coverFirst (imageIds: readonly string[], cover: string): string[] {
  return [...imageIds.filter(id => id === cover), ...imageIds.filter(id => id !== cover)]
}

// The shop stores an image in folders named after the digits of its id.
function imageUrls (imageIds: readonly string[], { shopUrl, imageType }: ReadingOptions): string[] {
  const base = `${shopUrl.replace(/\/$/, '')}/img/p`
  const ids = imageIds.filter(id => /^[1-9][0-9]*$/.test(id))
  return ids.map(id => `${base}/${[...id].join('/')}/${id}-${imageType}.jpg`)
}
