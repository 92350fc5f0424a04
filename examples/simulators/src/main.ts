import { parseArgs } from 'node:util'
import { sampleProducts, startMktB, startShopA } from './index.ts'

const { values } = parseArgs({
  options: {
    'shopa-port': { type: 'string', default: '4010' },
    'shopa-key': { type: 'string', default: 'SHOPA-SIMULATOR-KEY-00000000000A' },
    'shopa-time-zone': { type: 'string', default: 'Europe/Warsaw' },
    'cron-token': { type: 'string', default: 'cron' },
    'mktb-port': { type: 'string', default: '4020' },
    'mktb-key': { type: 'string', default: 'mktb-simulator-key' },
    'mktb-lag-ms': { type: 'string', default: '1200000' },
    'hub-url': { type: 'string', default: '' },
    'connection-id': { type: 'string', default: '' },
    'webhook-secret': { type: 'string', default: '' }
  }
})

const shopPort = wholeNumber('shopa-port')
const marketPort = wholeNumber('mktb-port')
const lagMs = wholeNumber('mktb-lag-ms')

const shop = await startShopA({
  apiKey: values['shopa-key'],
  port: shopPort,
  timeZone: values['shopa-time-zone'],
  products: sampleProducts,
  cronToken: values['cron-token']
})
const market = await startMktB({ apiKey: values['mktb-key'], port: marketPort, lagMs })
shop.sender.configure({ baseUrl: values['hub-url'], connectionId: values['connection-id'], secret: values['webhook-secret'] })
market.addProduct('hub-variant-1', { name: 'Mug red', price: 10_000, stock: 8 })

console.log(`shopA  ${shop.apiUrl}  key ${values['shopa-key']}`)
console.log(`mktB   ${market.baseUrl}  key ${values['mktb-key']}`)

async function stop (): Promise<void> {
  await Promise.all([shop.close(), market.close()])
}
process.once('SIGINT', stop)
process.once('SIGTERM', stop)

function wholeNumber (option: 'shopa-port' | 'mktb-port' | 'mktb-lag-ms'): number {
  const value = values[option]
  if (!/^\d+$/.test(value)) throw new TypeError(`--${option} is a whole number, not '${value}'`)
  return Number(value)
}
