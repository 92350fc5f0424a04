import { everyPattern, withoutByteOrderMark } from '@linker/sdk/host/text'
import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Ajv, type ErrorObject } from 'ajv'
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { alertVariables, readAlerts, type AlertSettings } from './config/alerts.ts'
import { readSentinelUrl } from './config/sentinel-url.ts'
import { isReadableUrl, itemsOf, unreadableUrl, url } from './config/texts.ts'
import { proxyVariables, readTrustedProxies } from './config/trusted-proxies.ts'
import { InvalidConfigurationError } from './errors.ts'

/** The names of the variables with webhook secrets begin so. */
export const secretPrefix = 'LINKER_WEBHOOK_SECRET__'

/** Every variable of the environment that the hub reads, except webhook secrets. */
const Environment = Type.Object({
  HOST: Type.String({ minLength: 1, default: '127.0.0.1', description: 'Address to listen on' }),
  PORT: Type.Integer({
    minimum: 0,
    maximum: 65535,
    default: 3000,
    description: 'Port to listen on; 0 chooses a free one'
  }),
  ADMIN_TOKEN: Type
    .Optional(Type.String({
      minLength: 32,
      description:
        "The hub's own token, 32 characters or more. Absent: the first start stores a new one in the data directory"
    })),
  LINKER_URL: Type
    .Optional(Type.String({
      description: 'Address of the running hub that the commands call. Absent: HOST and PORT of this folder'
    })),
  LINKER_TOKEN: Type
    .Optional(Type.String({
      minLength: 1,
      description:
        'Token that the commands send to a running hub. Absent: for a hub on this machine, ADMIN_TOKEN or the data ' +
        "directory's"
    })),
  DATABASE_URL: Type.Optional(url('postgres(ql)?', {
    description: 'PostgreSQL 15 or newer. Absent: an embedded database in the data directory'
  })),
  REDIS_URL: Type.Optional(url('rediss?(?:\\+sentinel)?', {
    description:
      'Redis 7 for the streams; needs DATABASE_URL. With Sentinels: redis+sentinel://host:port,host:port/name, where ' +
      'name is that of the primary. `rediss` instead of `redis`: over TLS. Absent: the streams are tables'
  })),
  LINKER_CONFIG: Type.String({
    minLength: 1,
    default: 'linker.config.json',
    description: 'Path of the configuration file'
  }),
  LINKER_DATA_DIR: Type.String({
    minLength: 1,
    default: '.linker',
    description: 'Directory of the embedded database and of the token'
  }),
  LINKER_EMBEDDED_SYNC: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    default: 'off',
    description: '`on`: the embedded database survives a loss of power; each of its commits waits for the disk'
  }),
  LINKER_ROLE: Type.Union([Type.Literal('all'), Type.Literal('http'), Type.Literal('worker')], {
    default: 'all',
    description: 'What this process does: all, http or worker'
  }),
  LINKER_PUBLIC_URL: Type.Optional(url('https?', {
    description: 'Address at which the hub is reached from outside'
  })),
  ...proxyVariables,
  LINKER_WEBHOOK_SKEW_MS: Type.Integer({
    minimum: 1000,
    maximum: 3_600_000,
    default: 300_000,
    description: 'Largest difference between the timestamp of a webhook and the present time, in milliseconds'
  }),
  LINKER_WEBHOOK_MOST_BYTES: Type.Integer({
    minimum: 262_144,
    maximum: 10_485_760,
    default: 262_144,
    description: 'Largest body of a webhook in bytes. Beyond the default, only for platforms that declare such bodies'
  }),
  LINKER_WEBHOOK_KEPT_DAYS: Type.Integer({
    minimum: 1,
    maximum: 14,
    default: 7,
    description: 'Days for which an accepted delivery can be replayed and the text of an ignored one is kept'
  }),
  LINKER_PERSONAL_DATA_DAYS: Type.Union([Type.Literal('off'), Type.Integer({ minimum: 30, maximum: 36_500 })], {
    default: 180,
    description:
      "Days after the end of an order for which the hub keeps the data of its buyer, 30 or more; 'off': for ever"
  }),
  LINKER_ORDERS_DAYS: Type.Union([Type.Literal('off'), Type.Integer({ minimum: 365, maximum: 36_500 })], {
    default: 'off',
    description: "Days after its end for which the hub keeps an order, 365 or more; 'off': for ever"
  }),
  LINKER_BATCHES_DAYS: Type.Union([Type.Literal('off'), Type.Integer({ minimum: 30, maximum: 36_500 })], {
    default: 90,
    description: "Days for which the hub keeps a batch of offers, 30 or more; 'off': for ever. The offers stay"
  }),
  LINKER_UPGRADE_BACKUP: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    default: 'on',
    description: '`on`: before a newer version changes the tables, it writes a backup into the data directory'
  }),
  LINKER_STREAM_BYTES: Type.Integer({
    minimum: 1_048_576,
    maximum: 1_099_511_627_776,
    default: 67_108_864,
    description:
      'Bytes of Redis memory that handled events may take in each stream; above this limit the hub removes the ' +
      'oldest ones'
  }),
  LINKER_CREDENTIALS_KEY: Type
    .Optional(Type.String({
      minLength: 1,
      description: 'Keys that encrypt stored credentials, `id:base64` of 32 bytes each, newest first, comma-separated'
    })),
  LINKER_CREDENTIALS_ENCRYPTION: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    default: 'on',
    description: '`off` lets a hub in production start without LINKER_CREDENTIALS_KEY'
  }),
  LINKER_ISOLATE: Type.String({
    default: '',
    description: 'Adapters that run in their own thread even if linker.config.json says otherwise: ' +
      '`adapterKey@version`, comma-separated'
  }),
  ...alertVariables,
  LINKER_TRACE: Type.Union([Type.Literal('all'), Type.Literal('failures'), Type.Literal('off')], {
    default: 'all',
    description: 'Attempts of jobs that keep their requests to platforms: all, failures (those that failed) or off'
  }),
  LINKER_FROZEN: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    default: 'off',
    description: '`on`: the hub does not start when its adapters differ from linker.lock'
  }),
  LINKER_DOCS: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    default: 'on',
    description: 'Swagger UI at /api/docs'
  }),
  LINKER_CONSOLE: Type.Union([Type.Literal('on'), Type.Literal('off')], {
    default: 'on',
    description: 'Console at /console/, a page for operators'
  }),
  LOG_LEVEL: Type.Union(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map(level => Type.Literal(level)),
    { default: 'info', description: 'Lowest level that is logged' }
  ),
  NODE_ENV: Type
    .Optional(Type.String({ description: '`production` turns warnings about unsafe settings into refusals' }))
})
type Environment = Static<typeof Environment>

const AdapterOptions = {
  /** `worker`: in a thread of its own. Default `inline`: in the hub's, where a call costs less. */
  isolation: Type.Optional(Type.Union([Type.Literal('inline'), Type.Literal('worker')])),
  /** The hub does not start without it. Default: the value of `strict`. */
  required: Type.Optional(Type.Boolean()),
  /**
   * Loads it although its `engines.linker` asks for another contract than this hub speaks, with a
   * warning.
   */
  ignoreEngines: Type.Optional(Type.Boolean())
}

/** A package of the project by its name, or a folder by its path. */
const AdapterEntry = Type.Union([
  Type.String({ minLength: 1 }),
  Type.Object({ use: Type.String({ minLength: 1 }), ...AdapterOptions }, { additionalProperties: false }),
  Type.Object({ path: Type.String({ minLength: 1 }), ...AdapterOptions }, { additionalProperties: false })
])
export type AdapterEntry = Static<typeof AdapterEntry>

const ScheduleDefault = Type.Object({
  every: Type.Optional(Type.String({ pattern: everyPattern.source })),
  enabled: Type.Optional(Type.Boolean())
}, { additionalProperties: false })

/** linker.config.json. */
const ConfigFile = Type.Object({
  $schema: Type.Optional(Type.String()),
  adapters: Type.Optional(Type.Array(AdapterEntry)),
  defaults: Type.Optional(Type.Record(Type.String(), Type.String())),
  platforms: Type.Optional(Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()))),
  outbound: Type
    .Optional(Type.Object({ allow: Type.Optional(Type.Array(Type.String())) }, { additionalProperties: false })),
  /** Schedules of the core and of adapters, by name. The setting of a connection wins. */
  schedules: Type.Optional(Type.Record(Type.String(), ScheduleDefault)),
  workers: Type
    .Optional(Type.Object({
      concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      perConnection: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 }))
    }, { additionalProperties: false })),
  strict: Type.Optional(Type.Boolean())
}, { additionalProperties: false })
export type ConfigFile = Static<typeof ConfigFile>

export interface Config {
  host: string
  port: number
  adminToken?: string
  /** Address of the running hub that commands call, unchecked: only those commands need it. */
  clientUrl?: string
  /** The token of commands that call a running hub. */
  clientToken?: string
  databaseUrl?: string
  redisUrl?: string
  dataDirectory: string
  /** Whether each commit of the embedded database waits for the disk. */
  syncsEmbedded: boolean
  /** Whether the embedded database has no files and ends with the process. No variable says so. */
  isInMemory?: boolean
  role: 'all' | 'http' | 'worker'
  publicUrl?: string
  /** Addresses and networks (CIDR) whose `X-Forwarded-For` names the source of a request. */
  trustedProxies: readonly string[]
  webhookSkewMs: number
  webhookMostBytes: number
  /** How long an accepted delivery can be replayed. */
  webhookKeptDays: number
  /** Days for which the data of a buyer stay after the end of an order. Absent: for ever. */
  personalDataDays?: number
  /** Days for which a batch of offers is kept. Absent: for ever. */
  batchesDays?: number
  /** Days for which an order is kept after its end. Absent: for ever. */
  ordersDays?: number
  /** Whether the hub writes a backup before it changes the tables of an older version. */
  backsUpBeforeUpgrade: boolean
  /** Bytes that a stream may take in Redis before handled entries are removed from it. */
  streamBytes: number
  credentialsKey?: string
  /** Whether the operator allows unencrypted credentials in production. */
  mayStorePlainCredentials: boolean
  /** Adapters that differ from linker.lock are not loaded: the hub does not start. */
  isFrozen: boolean
  docs: boolean
  /** Whether a process that serves the API serves the console, too. */
  console: boolean
  /** `adapterKey@version` of adapters that run in a thread of their own. */
  isolate: ReadonlySet<string>
  alerts: AlertSettings
  /** Which attempts of jobs keep their requests to platforms. */
  tracing: 'all' | 'failures' | 'off'
  logLevel: string
  isProduction: boolean
  /** The operator's project: adapters are resolved from here. */
  projectDirectory: string
  /** The path of linker.config.json, whether the file exists or not. */
  filePath: string
  file: ConfigFile
  /** `LINKER_WEBHOOK_SECRET__…`: name → secret, empty values left out. */
  webhookSecrets: ReadonlyMap<string, string>
}

/**
 * Reads the environment and linker.config.json. Throws `LNK_CONFIG_INVALID` with one line per bad
 * value, naming the variable or member.
 */
export function readConfig (environment: NodeJS.ProcessEnv, workingDirectory: string): Config {
  const values = readEnvironment(environment)
  if (values.REDIS_URL !== undefined && values.DATABASE_URL === undefined) {
    throw new InvalidConfigurationError('REDIS_URL is set, but DATABASE_URL is not: a hub that uses Redis for its ' +
      'streams needs PostgreSQL for its jobs. Set DATABASE_URL too')
  }
  if (values.REDIS_URL !== undefined) readSentinelUrl(values.REDIS_URL)
  const path = resolve(workingDirectory, values.LINKER_CONFIG)
  return {
    host: values.HOST,
    port: values.PORT,
    ...defined({
      adminToken: values.ADMIN_TOKEN,
      clientUrl: values.LINKER_URL,
      clientToken: values.LINKER_TOKEN,
      databaseUrl: values.DATABASE_URL,
      redisUrl: values.REDIS_URL,
      publicUrl: values.LINKER_PUBLIC_URL,
      credentialsKey: values.LINKER_CREDENTIALS_KEY,
      personalDataDays: daysOf(values.LINKER_PERSONAL_DATA_DAYS),
      ordersDays: daysOf(values.LINKER_ORDERS_DAYS),
      batchesDays: daysOf(values.LINKER_BATCHES_DAYS)
    }),
    dataDirectory: resolve(workingDirectory, values.LINKER_DATA_DIR),
    syncsEmbedded: values.LINKER_EMBEDDED_SYNC === 'on',
    role: values.LINKER_ROLE,
    trustedProxies: readTrustedProxies(values.LINKER_TRUSTED_PROXIES),
    webhookSkewMs: values.LINKER_WEBHOOK_SKEW_MS,
    webhookMostBytes: values.LINKER_WEBHOOK_MOST_BYTES,
    webhookKeptDays: values.LINKER_WEBHOOK_KEPT_DAYS,
    backsUpBeforeUpgrade: values.LINKER_UPGRADE_BACKUP === 'on',
    streamBytes: values.LINKER_STREAM_BYTES,
    mayStorePlainCredentials: values.LINKER_CREDENTIALS_ENCRYPTION === 'off',
    isFrozen: values.LINKER_FROZEN === 'on',
    docs: values.LINKER_DOCS === 'on',
    console: values.LINKER_CONSOLE === 'on',
    isolate: new Set(itemsOf(values.LINKER_ISOLATE)),
    alerts: readAlerts(values),
    tracing: values.LINKER_TRACE,
    logLevel: values.LOG_LEVEL,
    isProduction: values.NODE_ENV === 'production',
    projectDirectory: dirname(path),
    filePath: path,
    file: readConfigFile(path, environment.LINKER_CONFIG !== undefined),
    webhookSecrets: readWebhookSecrets(environment)
  }
}

/** One line per variable: name, default, meaning. */
export function explainEnvironment (): string[] {
  return [
    ...Object.entries(Environment.properties).map(([name, schema]) =>
      `${name}${schema.default === undefined || schema.default === '' ? '' : `=${String(schema.default)}`}  ${
        schema.description ?? ''
      }`
    ),
    `${secretPrefix}<PLATFORM>  Secret with which a platform signs its webhooks; ${secretPrefix}<PLATFORM>__<id of ` +
    'a connection without dashes> is that of one connection. The secrets of `linker webhook install` count as well',
    'NODE_EXTRA_CA_CERTS  Read by Node: file with the certificates of private authorities (PEM)'
  ]
}

function daysOf (value: number | 'off'): number | undefined {
  return value === 'off' ? undefined : value
}

function readEnvironment (environment: NodeJS.ProcessEnv): Environment {
  // A variable that is set to nothing is absent: compose files and shells often leave `NAME=`.
  const data = Object
    .fromEntries(Object.entries(environment).filter(([, value]) => value !== '' && value !== undefined))
  const schemas = Object.entries<TSchema>(Environment.properties)
  const defaults = Object.fromEntries(schemas.map(([name, schema]) => [name, schema.default]))
  // Compile the schemas of the variables that are set: compiling all of them would take a third of
  // the time of a command. Ajv does not check the schemas themselves, because they are the hub's
  // own.
  const properties = Object.fromEntries(schemas.filter(([name]) => Object.hasOwn(data, name)))
  const ajv = new Ajv({
    allErrors: true,
    coerceTypes: true,
    removeAdditional: true,
    meta: false,
    validateSchema: false,
    formats: { 'readable-url': isReadableUrl }
  })
  const isValid = ajv.compile<Environment>({ type: 'object', properties, additionalProperties: false })
  if (isValid(data)) return { ...defaults, ...data }
  throw new InvalidConfigurationError(describeEnvironmentErrors(isValid.errors ?? []))
}

function describeEnvironmentErrors (problems: readonly ErrorObject[]): string {
  return [...Map.groupBy(problems, problem => problem.instancePath.slice(1))].map(([name, ofVariable]) => {
    const choices = ofVariable.flatMap(problem => (problem.params as { allowedValue?: unknown }).allowedValue ?? [])
    const others = ofVariable.filter(({ keyword }) => keyword !== 'const' && keyword !== 'anyOf')
      .map(({ keyword, message }) => keyword === 'format' ? unreadableUrl : message).join(' and ')
    const chosen = choices.length === 0 ? '' : `must be ${choices.length === 1 ? '' : 'one of '}${choices.join(', ')}`
    return `${name} ${[chosen, others].filter(text => text !== '').join(' or ')}`
  }).join('; ')
}

/** Reads linker.config.json. A file that is not there is an empty one, unless it is required. */
export function readConfigFile (path: string, isRequired: boolean): ConfigFile {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (!isRequired) return {}
    throw new InvalidConfigurationError(`cannot read '${path}', the file that LINKER_CONFIG names`, { cause: error })
  }
  let value: unknown
  try {
    value = JSON.parse(withoutByteOrderMark(text))
  } catch (error) {
    throw new InvalidConfigurationError(`'${path}' is not JSON: ${error instanceof Error ? error.message : ''}`, {
      cause: error
    })
  }
  const problems = [...Value.Errors(ConfigFile, value)].map(problem =>
    `${problem.path === '' ? '/' : problem.path} ${problem.message}`
  )
  if (problems.length > 0) throw new InvalidConfigurationError(`'${path}': ${problems.join('; ')}`)
  return Value.Decode(ConfigFile, value)
}

function readWebhookSecrets (environment: NodeJS.ProcessEnv): Map<string, string> {
  const secrets = new Map<string, string>()
  for (const [name, value] of Object.entries(environment)) {
    if (name.startsWith(secretPrefix) && value !== undefined && value !== '') secrets.set(name, value)
  }
  return secrets
}

function defined<Members extends object> (members: Members): { [Name in keyof Members]?: NonNullable<Members[Name]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: NonNullable<Members[Name]>
  }
}
