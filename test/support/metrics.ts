import type { TestHub } from './hub.ts'

interface Adapter {
  platformType: string
  adapterKey: string
  version: string
}

export async function scrape (hub: TestHub): Promise<string> {
  const { status, text } = await hub.call('GET', '/metrics')
  if (status !== 200) throw new Error(`the scrape was answered ${status}: ${text}`)
  return text
}

/** Returns the label of the shop's adapter. */
export async function adapterOf (hub: TestHub): Promise<string> {
  const adapters = (await hub.call('GET', '/adapters')).json as Adapter[]
  const ofShop = adapters.filter(({ platformType }) => platformType === 'shopa')
  return ofShop.map(({ adapterKey, version }) => `${adapterKey}@${version}`).join()
}

/** Returns the values of one series by label set. */
export function seriesOf (text: string, name: string): Record<string, number> {
  const lines = text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'))
  return Object.fromEntries([...lines].map(([, labels = '', value]) => [labels, Number(value)]))
}
