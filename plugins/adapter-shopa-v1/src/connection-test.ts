import { AdapterErrorCode, ConfigurationError, isAdapterError, type TestResult } from '@linker/sdk'
import type { ShopClient } from './client.ts'
import type { Config, ShopContext } from './config.ts'
import type { OpenModule } from './module-client.ts'
import { createOrderPath } from './orders/creation/order-path.ts'
import { missingPaymentModule } from './orders/creation/place-order.ts'
import { createLocalTime } from './webservice/local-time.ts'
import type { Permissions } from './webservice/permissions.ts'
import { isSet, reference, text } from './webservice/row.ts'

const timeoutMs = 5_000
const always = ['products', 'combinations', 'stock_availables']
const forPrices = ['countries', 'tax_rules', 'taxes']
// Without these the connection still works, with fewer functions.
const forNames = { product_option_values: ['GET'], product_options: ['GET'] }
const forGroups = { tax_rule_groups: ['GET'] }
const forOrders = {
  orders: ['GET', 'PUT'],
  order_details: ['GET'],
  order_states: ['GET'],
  order_histories: ['POST'],
  order_carriers: ['GET', 'PUT'],
  carriers: ['GET'],
  countries: ['GET'],
  currencies: ['GET'],
  customers: ['GET', 'POST'],
  addresses: ['GET', 'POST'],
  carts: ['GET', 'POST', 'PUT'],
  specific_prices: ['GET', 'POST', 'DELETE'],
  messages: ['GET', 'POST', 'PUT'],
  tax_rules: ['GET'],
  taxes: ['GET']
}
const byWebservice = { orders: ['POST'], order_payments: ['GET', 'DELETE'] }

/**
 * Tests what this connection will do: the key's permissions, a reading of every resource that the
 * catalog needs, and the shop-side module where it makes the orders.
 */
export async function testConnection (client: ShopClient, context: ShopContext): Promise<TestResult> {
  const { config } = context
  if (config.timeZone !== undefined) createLocalTime(config.timeZone)
  const resources = [...always, ...(config.prices === undefined ? [] : forPrices)]
  const permissions = await client.readPermissions()
  if (permissions !== undefined) refuseMissing(permissions, resources)
  const read = (resource: string) => client.list(resource, { limit: 1 }, timeoutMs)
  const [module] = await Promise.all([testModule(client, context), ...resources.map(read)])
  const ofKey = permissions === undefined
    ? await readOptional(read)
    : describeMissing(permissions, module.makesOrders ? {} : byWebservice)
  const warnings = [...ofKey, ...module.warnings]
  return {
    message: `the webservice answers and the key may read ${resources.join(', ')}` +
      (module.isChecked ? ', and the shop-side module answers and knows the secret' : ''),
    warnings: warnings.length === 0 ? undefined : warnings
  }
}

type Needed = Readonly<Record<string, readonly string[]>>

function missingOf (permissions: Permissions, needed: Needed): string[] {
  return Object.entries(needed).flatMap(([resource, methods]) =>
    methods.filter(method => permissions.get(resource)?.has(method) !== true).map(method => `${method} ${resource}`)
  )
}

function refuseMissing (permissions: Permissions, resources: readonly string[]): void {
  const missing = missingOf(permissions, Object.fromEntries(resources.map(resource => [resource, ['GET']])))
  if (missing.length === 0) return
  throw new ConfigurationError(`the key has no permission for ${missing.join(', ')}: grant it to this key in the shop`)
}

function describeMissing (permissions: Permissions, ofPath: Needed): string[] {
  const names = missingOf(permissions, forNames)
  const groups = missingOf(permissions, forGroups)
  const orders = [...missingOf(permissions, forOrders), ...missingOf(permissions, ofPath)]
  return [
    ...names.length === 0 ? [] : [`variants have no names or options: the key lacks ${names.join(', ')}`],
    ...groups.length === 0
      ? []
      : [`tax rules groups that are switched off count as active: the key lacks ${groups.join(', ')}`],
    ...orders.length === 0 ? [] : [`orders cannot be made, read and changed: the key lacks ${orders.join(', ')}`]
  ]
}

/** Returns a warning for each optional resource that the key may not read. */
async function readOptional (read: (resource: string) => Promise<unknown>): Promise<string[]> {
  const optional = { product_option_values: 'variants have no names', orders: 'orders cannot be read' }
  const warnings = await Promise.all(Object.entries(optional).map(async ([resource, consequence]) => {
    const refused = await configurationErrorOf(read(resource))
    return refused === undefined ? [] : [`${consequence}: ${refused}`]
  }))
  return warnings.flat()
}

interface ModuleTest {
  makesOrders: boolean
  isChecked: boolean
  warnings: string[]
}

async function testModule (client: ShopClient, context: ShopContext): Promise<ModuleTest> {
  const module = await createOrderPath(client, context)()
  if (module === undefined) {
    return { makesOrders: false, isChecked: false, warnings: describePaymentModule(context.config) }
  }
  const [pause, taxed] = await Promise.all([findPause(module), findTaxedCarriers(client, context.config)])
  return { makesOrders: true, isChecked: pause.length === 0, warnings: [...pause, ...taxed] }
}

/** The webservice cannot tell which payment modules the shop has. */
function describePaymentModule ({ paymentModule }: Config): string[] {
  return paymentModule === undefined ? [`no order can be made: ${missingPaymentModule}`] : []
}

/** Returns a warning during maintenance: the connection is right, and its orders wait. */
async function findPause (module: OpenModule): Promise<string[]> {
  try {
    await module.check()
    return []
  } catch (error) {
    if (!isAdapterError(error) || error.code !== AdapterErrorCode.unavailable) throw error
    return [`orders wait for the shop-side module: ${error.message}`]
  }
}

/** The module answers gross amounts, and the shop adds the tax of the carrier's group to them. */
async function findTaxedCarriers (client: ShopClient, { moduleName }: Config): Promise<string[]> {
  const rows: Awaited<ReturnType<ShopClient['list']>> = []
  const refused =
    await configurationErrorOf(client.list('carriers', { display: 'full', sort: '[id_ASC]' }, timeoutMs).then(found =>
      rows.push(...found)
    ))
  if (refused !== undefined) return []
  return rows
    .filter(row => text(row.external_module_name) === moduleName && isSet(row.active) && !isSet(row.deleted))
    .filter(row => reference(row.id_tax_rules_group) !== '0')
    .map(row =>
      `the shop adds tax to shipping prices that include it: choose "No tax" for carrier ${reference(row.id)} ` +
      `'${text(row.name) ?? ''}' of the shop-side module (its tax rules group is ${reference(row.id_tax_rules_group)})`
    )
}

async function configurationErrorOf (call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call
    return undefined
  } catch (error) {
    if (!isAdapterError(error) || error.code !== AdapterErrorCode.configuration) throw error
    return error.message
  }
}
