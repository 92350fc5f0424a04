import { emptyFields } from './empty-fields.ts'
import type { OrderResourceName } from './order-resources.ts'
import {
  toCombinationRow,
  toProductRow,
  toStockRow,
  type CombinationInput,
  type ProductInput,
  type Row,
  type Value
} from './product-rows.ts'
import { resourceNames, resources, type ResourceName } from './resources.ts'
import type { SupportingName } from './supporting-resources.ts'
import { createTable, type Table } from './table.ts'

/** The changes of a write to a row. A write replaces every association that it names. */
export interface RowChange {
  fields: Record<string, Value>
  associations?: Row['associations']
}

/** A record that products or orders refer to. */
export interface SupportingInput {
  id: number
  fields: Record<string, Value>
  associations?: Row['associations']
}

type Tables = Record<ResourceName, Table>

/** Makes the shop's tables. `timestamp` gives the local time for `date_add` and `date_upd`. */
export function createState (timestamp: () => string) {
  const entries = resourceNames.map(name => [name, createTable(resources[name].indexed)])
  const tables = Object.fromEntries(entries) as Tables

  function row (resource: ResourceName, id: number): Row {
    const found = tables[resource].get(id)
    if (found === undefined) throw new Error(`the shop has no ${resources[resource].singular} ${id}`)
    return found
  }

  function stockRow (productId: number, combinationId: number): Row {
    const found = stockRows(productId).find(({ fields }) => fields.id_product_attribute === String(combinationId))
    if (found === undefined) {
      throw new Error(`the shop has no stock row for product ${productId}, combination ${combinationId}`)
    }
    return found
  }

  function stockRows (productId: number): Row[] {
    return tables.stock_availables.where('id_product', [productId])
  }

  function insertStock (productId: number, combinationId: number, quantity: number): void {
    const id = tables.stock_availables.nextId()
    tables.stock_availables.put(toStockRow(id, productId, combinationId, quantity))
    row('products', productId).associations.stock_availables?.push({
      id: String(id),
      id_product_attribute: String(combinationId)
    })
  }

  function addProduct (product: ProductInput): Row {
    const { combinations = [], quantity = 0 } = product
    const added = toProductRow(product, timestamp())
    const variants = combinations.map((combination, index) => toCombinationRow(product.id, combination, index === 0))
    refuseUnlessNew(tables, 'products', added)
    for (const variant of variants) refuseUnlessNew(tables, 'combinations', variant)
    tables.products.put(added)
    const sum = combinations.reduce((sum, { quantity }) => sum + quantity, 0)
    insertStock(product.id, 0, combinations.length > 0 ? sum : quantity)
    for (const variant of variants) tables.combinations.put(variant)
    for (const { id, quantity } of combinations) insertStock(product.id, id, quantity)
    return added
  }

  /** Adds a record. Columns that it does not name are empty. */
  function addSupporting (
    resource: SupportingName | OrderResourceName,
    { id, fields, associations = {} }: SupportingInput
  ): Row {
    const added: Row = { id, fields: { ...emptyFields(resource), ...fields }, associations }
    refuseUnlessNew(tables, resource, added)
    tables[resource].put(added)
    return added
  }

  function addCombination (productId: number, combination: CombinationInput): Row {
    const product = row('products', productId)
    const isFirst = tables.combinations.where('id_product', [productId]).length === 0
    const added = toCombinationRow(productId, combination, isFirst)
    refuseUnlessNew(tables, 'combinations', added)
    tables.combinations.put(added)
    product.associations.combinations?.push({ id: String(added.id) })
    if (isFirst) {
      Object.assign(product.fields, { id_default_combination: String(added.id), product_type: 'combinations' })
    }
    insertStock(productId, added.id, combination.quantity)
    sumStock(productId)
    refreshOptionValues(product)
    return added
  }

  function change (resource: ResourceName, id: number, { fields, associations }: RowChange): Row {
    const changed = row(resource, id)
    refuseUnknownColumns(resource, fields)
    tables[resource].put(changed, resource === 'products' ? { ...fields, date_upd: timestamp() } : fields)
    Object.assign(changed.associations, associations)
    if (resource === 'combinations') refreshOptionValues(row('products', Number(changed.fields.id_product)))
    // A write to a combination's row makes the product's row 0 the sum again; a write to row 0
    // itself stays.
    if (resource === 'stock_availables' && changed.fields.id_product_attribute !== '0') {
      sumStock(Number(changed.fields.id_product))
    }
    return changed
  }

  function deleteProduct (id: number): void {
    row('products', id)
    for (const combination of tables.combinations.where('id_product', [id])) tables.combinations.remove(combination.id)
    for (const stock of stockRows(id)) tables.stock_availables.remove(stock.id)
    tables.products.remove(id)
  }

  /** Deletes a combination and its stock row. Row 0 becomes the sum of the others, or 0. */
  function deleteCombination (id: number): void {
    const productId = Number(row('combinations', id).fields.id_product)
    const stock = stockRow(productId, id)
    const { fields, associations } = row('products', productId)
    tables.combinations.remove(id)
    tables.stock_availables.remove(stock.id)
    const left = tables.combinations.where('id_product', [productId])
    associations.combinations = left.map(({ id }) => ({ id: String(id) }))
    associations.stock_availables = (associations.stock_availables ?? []).filter(entry => entry.id !== String(stock.id))
    if (fields.id_default_combination === String(id)) fields.id_default_combination = String(left[0]?.id ?? 0)
    sumStock(productId)
    refreshOptionValues(row('products', productId))
  }

  function sumStock (productId: number): void {
    const ofCombinations = stockRows(productId).filter(({ fields }) => fields.id_product_attribute !== '0')
    const total = ofCombinations.reduce((sum, { fields }) => sum + Number(fields.quantity), 0)
    tables.stock_availables.put(stockRow(productId, 0), { quantity: String(total) })
  }

  function refreshOptionValues ({ id, associations }: Row): void {
    const entries = tables.combinations.where('id_product', [id]).flatMap(combination =>
      combination.associations.product_option_values ?? []
    )
    associations.product_option_values = [...new Map(entries.map(entry => [entry.id, { ...entry }])).values()]
  }

  return { tables, row, stockRow, addProduct, addCombination, addSupporting, change, deleteProduct, deleteCombination }
}

export type State = ReturnType<typeof createState>

function refuseUnlessNew (tables: Tables, resource: ResourceName, added: Row): void {
  if (tables[resource].get(added.id) !== undefined) {
    throw new Error(`the shop already has ${resources[resource].singular} ${added.id}`)
  }
  refuseUnknownColumns(resource, added.fields)
}

function refuseUnknownColumns (resource: ResourceName, fields: Record<string, Value>): void {
  const { singular, fields: columns } = resources[resource]
  const unknown = Object.keys(fields).find(name => !Object.hasOwn(columns, name))
  if (unknown !== undefined) throw new Error(`a ${singular} has no column '${unknown}'`)
}
