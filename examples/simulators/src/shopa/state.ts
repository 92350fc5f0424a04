import { toCombinationRow, toProductRow, toStockRow, type ProductInput, type Row, type Value } from './product-rows.ts'
import { resources, type ResourceName } from './resources.ts'

/** The shop's tables. `timestamp` gives the local time for `date_add` and `date_upd`. */
export function createState (timestamp: () => string) {
  const tables: Record<ResourceName, Map<number, Row>> = { products: new Map(), combinations: new Map(), stock_availables: new Map() }
  const stockByProduct = new Map<string, Row[]>()
  let lastStockId = 0

  function rows (resource: ResourceName): Row[] {
    return [...tables[resource].values()].sort((a, b) => a.id - b.id)
  }

  function row (resource: ResourceName, id: number): Row | undefined {
    return tables[resource].get(id)
  }

  function stockRow (productId: number, attributeId: number): Row {
    const found = stockByProduct.get(String(productId))?.find(({ fields }) => fields.id_product_attribute === String(attributeId))
    if (found === undefined) throw new Error(`the shop has no stock row for product ${productId}, combination ${attributeId}`)
    return found
  }

  function refuseUnknownColumns (resource: ResourceName, fields: Record<string, Value>): void {
    const { singular, fields: columns } = resources[resource]
    const unknown = Object.keys(fields).find(name => !Object.hasOwn(columns, name))
    if (unknown !== undefined) throw new Error(`a ${singular} has no column '${unknown}'`)
  }

  function refuseUnlessNew (resource: ResourceName, added: Row): void {
    if (tables[resource].has(added.id)) throw new Error(`the shop already has ${resources[resource].singular} ${added.id}`)
    refuseUnknownColumns(resource, added.fields)
  }

  function insertStock (productId: number, attributeId: number, quantity: number) {
    lastStockId += 1
    const added = toStockRow(lastStockId, productId, attributeId, quantity)
    tables.stock_availables.set(lastStockId, added)
    stockByProduct.set(String(productId), [...stockByProduct.get(String(productId)) ?? [], added])
    return { id: String(lastStockId), id_product_attribute: String(attributeId) }
  }

  function addProduct (product: ProductInput): void {
    const combinations = product.combinations ?? []
    const added = toProductRow(product, timestamp())
    const variants = combinations.map((combination, index) => toCombinationRow(product.id, combination, index === 0))
    refuseUnlessNew('products', added)
    for (const variant of variants) refuseUnlessNew('combinations', variant)
    const total = combinations.reduce((sum, { quantity }) => sum + quantity, 0)
    added.associations.stock_availables = [
      insertStock(product.id, 0, combinations.length > 0 ? total : product.quantity ?? 0),
      ...combinations.map(({ id, quantity }) => insertStock(product.id, id, quantity))
    ]
    tables.products.set(added.id, added)
    for (const variant of variants) tables.combinations.set(variant.id, variant)
  }

  function updateProduct (id: number, fields: Record<string, Value>): void {
    const product = row('products', id)
    if (product === undefined) throw new Error(`the shop has no product ${id}`)
    refuseUnknownColumns('products', fields)
    Object.assign(product.fields, fields, { date_upd: timestamp() })
  }

  function deleteProduct (id: number): void {
    const product = row('products', id)
    if (product === undefined) throw new Error(`the shop has no product ${id}`)
    for (const combination of product.associations.combinations ?? []) tables.combinations.delete(Number(combination.id))
    for (const stock of stockByProduct.get(String(id)) ?? []) tables.stock_availables.delete(stock.id)
    stockByProduct.delete(String(id))
    tables.products.delete(id)
  }

  /** Writes a stock row. The row of a combination also makes the product's row 0 the sum again; writing row 0 itself leaves it as written. */
  function saveStock (id: number, fields: Record<string, string>): Row {
    const saved = row('stock_availables', id)
    if (saved === undefined) throw new Error(`the shop has no stock row ${id}`)
    Object.assign(saved.fields, fields)
    if (saved.fields.id_product_attribute === '0') return saved
    const siblings = stockByProduct.get(String(saved.fields.id_product)) ?? []
    const total = siblings.reduce((sum, { fields }) => fields.id_product_attribute === '0' ? sum : sum + Number(fields.quantity), 0)
    const aggregate = siblings.find(({ fields }) => fields.id_product_attribute === '0')
    if (aggregate !== undefined) aggregate.fields.quantity = String(total)
    return saved
  }

  return { rows, row, stockRow, addProduct, updateProduct, deleteProduct, saveStock }
}

export type State = ReturnType<typeof createState>
