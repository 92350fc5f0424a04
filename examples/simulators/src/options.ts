import { parseArgs } from 'node:util'

interface OptionText {
  default: string
  help: string
}

const table = {
  'shopa-port': { default: '4010', help: 'port of the shop' },
  'shopa-key': { default: 'SHOPA-SIMULATOR-KEY-00000000000A', help: 'key of the shop' },
  'shopa-time-zone': { default: 'Europe/Warsaw', help: 'time zone of the shop' },
  'cron-token': { default: 'cron', help: "token in the address of the shop's cron job" },
  'deliver-every-ms': {
    default: '0',
    help: 'how often the shop sends its webhooks by itself; 0: only when its cron job is called'
  },
  'products': { default: '0', help: 'generated products beside the sample products' },
  'combinations-each': { default: '0', help: 'combinations of each generated product' },
  'seed': { default: '1', help: 'equal seeds make the same accidents' },
  'mkta-web-port': { default: '4030', help: 'port of the web host of marketplace A' },
  'mkta-rest-port': { default: '4031', help: 'port of the REST host of marketplace A' },
  'mkta-client-id': { default: 'mkta-simulator-client', help: 'id of the application that marketplace A knows' },
  'mkta-client-secret': { default: 'mkta-simulator-secret', help: 'secret of this application' },
  'mkta-redirect-uri': {
    default: 'http://localhost:3000/integrations/mkta/oauth/callback',
    help: 'where marketplace A sends the browser after the consent'
  },
  'mkta-consent': { default: 'ask', help: 'ask shows the consent page in a browser; grant and refuse answer at once' },
  'mkta-processing-ms': { default: '1000', help: 'how long marketplace A takes for work that it does later' },
  'mktb-port': { default: '4020', help: 'port of marketplace B' },
  'mktb-key': { default: 'mktb-simulator-key', help: 'key of marketplace B' },
  'mktb-lag-ms': {
    default: '0',
    help: 'how late marketplace B shows a write; 1200000 (20 minutes) at the real marketplace'
  },
  'control-port': { default: '4040', help: 'port that switches faults on and off, and places orders' },
  'hub-url': { default: '', help: 'address of the hub that gets the webhooks of the shop' },
  'connection-id': { default: '', help: "id of the shop's connection in this hub" },
  'webhook-secret': { default: '', help: 'secret that signs the webhooks of the shop' }
} satisfies Record<string, OptionText>

export type Option = keyof typeof table
export type Options = Record<Option, string>

/** Returns undefined when the person asks for help. Throws when an option is unknown. */
export function readOptions (args: string[]): Options | undefined {
  const known = Object.entries<OptionText>(table).map(([name, { default: value }]) =>
    [name, { type: 'string', default: value }] as const
  )
  const { values: { help, ...values } } = parseArgs({
    args,
    options: { ...Object.fromEntries(known), help: { type: 'boolean', short: 'h' } }
  })
  return help === true ? undefined : values as Options
}

export function formatHelp (): string {
  const width = Math.max(...Object.keys(table).map(name => name.length)) + 2
  const lines = Object.entries<OptionText>(table).map(([name, option]) =>
    `  ${`--${name}`.padEnd(width)}  ${option.help}${option.default === '' ? '' : ` (default: ${option.default})`}`
  )
  return [
    'Usage: npm run simulators -- [options]',
    '',
    'Starts a shop (shopA) and two marketplaces (mktA, mktB) on 127.0.0.1, and prints their addresses and keys.',
    '',
    ...lines,
    `  ${'-h, --help'.padEnd(width)}  print this text`,
    '',
    'Faults while they run: POST /faults/{shopa|mkta-web|mkta-rest|mktb} at the control port, as the README shows.',
    'Orders of marketplace B: POST /orders there.'
  ].join('\n')
}

export function wholeNumber (options: Options, option: Option): number {
  const value = options[option]
  if (!/^\d+$/.test(value)) throw new TypeError(`--${option} must be a whole number, not '${value}'`)
  return Number(value)
}

export function consentDecision (value: string): 'ask' | 'grant' | 'refuse' {
  if (value !== 'ask' && value !== 'grant' && value !== 'refuse') {
    throw new TypeError(`--mkta-consent must be ask, grant or refuse, not '${value}'`)
  }
  return value
}
