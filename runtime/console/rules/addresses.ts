/** The page of the console about an object of the hub. */
export const addressOf = {
  connection: (id: string): string => `/console/connections/${id}`,
  offer: (id: string): string => `/console/offers/${id}`,
  batch: (id: string): string => `/console/offers/batches/${id}`,
  order: (id: string): string => `/console/orders/${id}`,
  job: (id: string): string => `/console/jobs/${id}`,
  delivery: (id: string): string => `/console/deliveries/${id}`,
  variant: (id: string): string => `/console/stock/${id}`,
  redrive: (id: string): string => `/console/redrives/${id}`,
  trace: (requestId: string): string => `/console/trace/${encodeURIComponent(requestId)}`,
  adapter: (key: string, version: string): string =>
    `/console/adapters/${encodeURIComponent(key)}/${encodeURIComponent(version)}`
} as const

interface Rule {
  api: RegExp
  page: (id: string, query: string) => string
}

const rules: readonly Rule[] = [
  { api: /^\/connections\/([^/]+)\/webhooks/, page: id => `/console/connections/${id}/webhooks` },
  { api: /^\/connections\/([^/]+)\/schedules/, page: id => `/console/connections/${id}/schedules` },
  { api: /^\/connections\/([^/]+)\/routing-rules/, page: id => `/console/connections/${id}/routing` },
  { api: /^\/connections\/([^/]+)/, page: addressOf.connection },
  { api: /^\/orders\/([^/]+)/, page: addressOf.order },
  { api: /^\/offers\/unlinked/, page: (_id, query) => `/console/offers${and(query, 'view=unlinked')}` },
  { api: /^\/offers\/([^/]+)/, page: addressOf.offer },
  { api: /^\/listings\/batches\/([^/]+)/, page: addressOf.batch },
  { api: /^\/redrives\/([^/]+)/, page: addressOf.redrive },
  { api: /^\/jobs\/groups/, page: (_id, query) => `/console/jobs${and(query, 'view=groups')}` },
  { api: /^\/jobs\/([^/]+)/, page: addressOf.job },
  { api: /^\/webhook-deliveries\/([^/]+)/, page: addressOf.delivery },
  { api: /^\/webhook-deliveries/, page: (_id, query) => `/console/deliveries${query}` },
  { api: /^\/stock\/sweeps/, page: (_id, query) => `/console/stock/sweeps${query}` },
  { api: /^\/variants\/([^/]+)/, page: addressOf.variant },
  { api: /^\/tokens/, page: () => '/console/access' },
  {
    api: /^\/schedules/,
    page: (_id, query) => {
      const connectionId = new URLSearchParams(query).get('connectionId')
      return connectionId === null ? '/console/connections' : `/console/connections/${connectionId}/schedules`
    }
  },
  {
    api: /^\/(connections|offers|stock|orders|jobs|adapters|figures|audit|system)$/,
    page: (name, query) => `/console/${name}${query}`
  }
]

/** The page that shows what a path of the API answers. Paths without a page lead to System. */
export function pageOf (target: string): string {
  const [path = '', search] = target.replace(/^\/v1(?=\/)/, '').split('?', 2)
  const query = search === undefined ? '' : `?${search}`
  for (const { api, page } of rules) {
    const match = api.exec(path)
    if (match !== null) return page(match[1] ?? '', query)
  }
  return '/console/system'
}

function and (query: string, more: string): string {
  return `${query === '' ? '?' : `${query}&`}${more}`
}
