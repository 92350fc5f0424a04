import type { Config } from '../../config.ts'
import { describePartialRole } from '../../mode-of.ts'
import type { AttentionItem, AttentionSeverity } from '../schemas.ts'
import { newItem } from './new-item.ts'

export type JudgedSettings = Pick<
  Config,
  | 'credentialsKey'
  | 'isProduction'
  | 'host'
  | 'publicUrl'
  | 'databaseUrl'
  | 'role'
  | 'syncsEmbedded'
  | 'file'
  | 'alerts'
>

interface Finding {
  of: string
  /** Outside production it only informs. */
  isGrave: boolean
  title: string
  detail: string
}

const loopback = /^(?:localhost|127(?:\.\d+){3}|::1|\[::1\])$/

/** Makes items of unsafe settings of this process, and of schedules that they switch off. */
export function settingItems (settings: JudgedSettings): AttentionItem[] {
  const severity = ({ isGrave }: Finding): AttentionSeverity => isGrave ? 'warning' : 'info'
  return [
    ...unsafeSettings(settings).map(finding =>
      newItem({
        kind: 'unsafe-setting',
        severity: severity(finding),
        since: null,
        of: finding.of,
        title: finding.title,
        detail: finding.detail,
        target: '/system'
      })
    ),
    ...schedulesOff(settings)
  ]
}

const dayMs = 86_400_000

/** Makes the item of a hub in use that can tell nobody. `connectedAt`: its first connection. */
export function channelSettingItems (
  { alerts }: Pick<JudgedSettings, 'alerts'>,
  connectedAt: Date | undefined,
  nowMs: number
): AttentionItem[] {
  const isInUse = connectedAt !== undefined && nowMs - connectedAt.getTime() > dayMs
  if (!isInUse || alerts.webhook !== undefined || alerts.mail !== undefined) return []
  return [newItem({
    kind: 'no-alert-channel',
    severity: 'info',
    since: null,
    title: 'The hub tells nobody when something is wrong',
    detail: 'No channel for alerts is set, so only who looks here learns of a failure; set LINKER_ALERT_SMTP_URL or ' +
      'LINKER_ALERT_WEBHOOK_URL with what belongs to them.',
    target: '/alerts'
  })]
}

function unsafeSettings (settings: JudgedSettings): Finding[] {
  const { credentialsKey, isProduction, host, publicUrl, databaseUrl, role, syncsEmbedded, file } = settings
  const isOpen = !loopback.test(host)
  const findings: (Finding | false)[] = [
    credentialsKey === undefined && {
      of: 'credentials-key',
      isGrave: isProduction,
      title: 'New credentials are not encrypted',
      detail: 'Everybody who can read the database can read the credentials of the platforms; set ' +
        'LINKER_CREDENTIALS_KEY to id:base64 of 32 random bytes.'
    },
    isPlain(publicUrl) && {
      of: 'public-url',
      isGrave: true,
      title: 'Requests reach the hub over plain http',
      detail: 'LINKER_PUBLIC_URL is an http address, so others can read tokens and webhooks on the way; put https ' +
        'before the hub and set LINKER_PUBLIC_URL to it.'
    },
    isOpen && publicUrl === undefined && {
      of: 'host',
      isGrave: isProduction,
      title: 'The hub listens for other machines without https',
      detail: 'HOST is no loopback address, and LINKER_PUBLIC_URL names no https address before the hub; put https ' +
        'before it and set LINKER_PUBLIC_URL.'
    },
    isEverywhere(file.outbound?.allow) && {
      of: 'outbound-allow',
      isGrave: true,
      title: 'Adapters may call every address',
      detail: '`outbound.allow` in linker.config.json names a whole address space, so an adapter may call servers ' +
        'of your own network; name only the networks of your platforms.'
    },
    databaseUrl === undefined && role !== 'all' && {
      of: 'role',
      isGrave: isProduction,
      title: 'This embedded hub does only a part of its work',
      detail: `${describePartialRole(role)}; set DATABASE_URL, or LINKER_ROLE=all.`
    },
    databaseUrl === undefined && !syncsEmbedded && isProduction && {
      of: 'embedded-sync',
      isGrave: true,
      title: 'A loss of power may lose the last changes',
      detail: 'The commits of the embedded database do not wait for the disk; set LINKER_EMBEDDED_SYNC=on, or use ' +
        'PostgreSQL with DATABASE_URL.'
    }
  ]
  return findings.filter(finding => finding !== false)
}

function isPlain (publicUrl: string | undefined): boolean {
  const url = publicUrl === undefined ? null : URL.parse(publicUrl)
  return url !== null && url.protocol === 'http:' && !loopback.test(url.hostname)
}

function isEverywhere (allow: readonly string[] = []): boolean {
  return allow.some(network => network.endsWith('/0'))
}

function schedulesOff ({ file }: JudgedSettings): AttentionItem[] {
  const names = Object.entries(file.schedules ?? {}).filter(([, { enabled }]) => enabled === false).map(([name]) =>
    name
  )
  if (names.length === 0) return []
  return [newItem({
    kind: 'schedules-off',
    severity: 'info',
    since: null,
    count: names.length,
    title: 'linker.config.json switches schedules off',
    detail: `The schedules ${names.join(', ')} are off for every connection that does not switch them on; remove ` +
      'them from `schedules` in linker.config.json if the hub should read the platforms by the clock.',
    target: '/schedules'
  })]
}
