interface Place {
  label: string
  href: string
}

type Tab = 'settings' | 'adapter' | 'webhooks' | 'schedules'

/** The tab of the connection where a person does what a finding asks for. */
const tabs: Readonly<Record<string, readonly [tab: Tab, label: string]>> = {
  'adapter-missing': ['adapter', 'See the versions'],
  'credentials-missing': ['settings', 'See the credentials'],
  'credentials-unreadable': ['settings', 'See the credentials'],
  'connection-error': ['settings', 'See the credentials'],
  'schedule-late': ['schedules', 'See the schedules'],
  'schedule-off': ['schedules', 'See the schedules'],
  'webhooks-never': ['webhooks', 'See the webhooks'],
  'webhooks-not-set-up': ['webhooks', 'See the webhooks'],
  'webhooks-other-address': ['webhooks', 'See the webhooks'],
  'webhooks-refused': ['webhooks', 'See the refused deliveries'],
  'webhooks-silent': ['webhooks', 'See the webhooks'],
  'webhooks-unreached': ['webhooks', 'See the webhooks']
}

/** Other pages, by the filter that they need. */
const pages: Readonly<Record<string, (id: string) => Place>> = {
  'adapter-crashed': () => ({ label: 'See the adapters', href: '/console/adapters' }),
  'adapter-degraded': () => ({ label: 'See the adapters', href: '/console/adapters' }),
  'events-unknown': id => ({
    label: 'See the ignored deliveries',
    href: `/console/deliveries?connectionId=${id}&status=ignored`
  }),
  'jobs-dead': id => ({ label: 'See the dead jobs', href: `/console/jobs?connectionId=${id}&status=dead` }),
  'no-worker': () => ({ label: 'See the processes', href: '/console/system' }),
  'queue-old': id => ({ label: 'See the queued jobs', href: `/console/jobs?connectionId=${id}&status=queued` })
}

/**
 * Where in the console a person acts on a finding. Undefined: on the page of the connection itself,
 * or outside of the console.
 */
export function pageOfFinding (code: string, connectionId: string): Place | undefined {
  const [tab, label] = tabs[code] ?? []
  return tab === undefined || label === undefined
    ? pages[code]?.(connectionId)
    : { label, href: `/console/connections/${connectionId}/${tab}` }
}
