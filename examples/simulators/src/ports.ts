import { wholeNumber, type Options } from './options.ts'

const servers = {
  'shopa-port': 'the shop (shopA)',
  'mkta-web-port': 'the web host of marketplace A (mktA)',
  'mkta-rest-port': 'the REST host of marketplace A (mktA)',
  'mktb-port': 'marketplace B (mktB)',
  'control-port': 'the control server'
} as const
type PortOption = keyof typeof servers
type Ports = Record<PortOption, number>

const names = Object.keys(servers) as PortOption[]
const highestPort = 65_535

/** Reads the ports. Port 0 is any free one; no other port may be given to two servers. */
export function readPorts (options: Options): Ports {
  const ports = Object.fromEntries(names.map(name => [name, wholeNumber(options, name)])) as Ports
  for (const name of names) {
    const port = ports[name]
    if (port > highestPort) throw new TypeError(`--${name} must be a port, at most ${highestPort}, not ${port}`)
    const other = names.find(another => another !== name && port !== 0 && ports[another] === port)
    if (other !== undefined) throw new TypeError(`--${name} and --${other} are both ${port}: give each its own port`)
  }
  return ports
}

/** Says in one sentence why the simulators did not start. */
export function describeFailure (error: unknown, ports: Ports | undefined): string {
  if (!(error instanceof Error)) return String(error)
  if (!('code' in error && 'port' in error) || ports === undefined) return error.message
  const { code, port } = error
  const name = names.find(option => ports[option] === port)
  if (name === undefined) return error.message
  const another = `choose another with --${name}`
  if (code === 'EADDRINUSE') {
    return `port ${String(port)} of ${servers[name]} is in use by another program: end that program, or ${another}`
  }
  return `port ${String(port)} of ${servers[name]} cannot be opened (${String(code)}): ${another}`
}
